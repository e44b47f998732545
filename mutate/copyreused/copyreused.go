package copyreused

import (
	_ "embed"
	"go/token"
	"go/version"

	"mendel/analysis/evidence"
	"mendel/mutate"
	"mendel/mutate/internal/lending"
)

//go:embed doc.go
var doc string

// Operator hands over a copy of memory that its owner uses again.
var Operator = &mutate.Operator{
	Name: "copyreused",
	Doc:  doc,
	Prior: map[evidence.Kind]float64{
		evidence.Race: 6, evidence.TestFailure: 5, evidence.Panic: 4,
		evidence.Deadlock: 0.1, evidence.Blocked: 0.1, evidence.Timeout: 0.2,
	},
	Faults:   []evidence.Fault{evidence.ReusedMemory},
	Needs:    "memory that is handed over and used again",
	Apply:    apply,
	Together: together,
}

// nearby is what an edit has of the heat of the places that use the memory. There is no
// cause but this one for a race there, if there is something to copy.
const nearby = 0.95

// together lists an edit for each owner whose memory is handed over.
func together(w *mutate.Whole) []mutate.Edit {
	var out []mutate.Edit
	owners := mutate.Once(w, lending.Surveyed{}, func() *lending.Owners { return lending.Survey(w.Program) })
	for _, l := range mutate.Once(w, leaksKey{}, func() []*leak { return leaks(w.Program, owners) }) {
		if e, ok := edit(w, l); ok {
			out = append(out, e)
		}
	}
	return out
}

// edit is placed at the hottest of the places that hand something over.
func edit(w *mutate.Whole, l *leak) (e mutate.Edit, ok bool) {
	e = mutate.Edit{Operator: "copyreused", Heat: -1, Count: len(l.places)}
	for _, p := range l.places {
		version := p.file.Package.Info.FileVersions[p.file.AST]
		if !w.Editable(p.file) || !modern(version) {
			return e, false
		}
		heat := heatAt(w, p)
		if heat <= e.Heat {
			continue
		}
		if e.Node, ok = w.ID(p.file, p.expr); !ok {
			return e, false
		}
		e.File, e.Line, e.Func, e.Note, e.Heat = p.file.Rel, line(w, p.expr.Pos()), p.function, p.note(), heat
	}
	return e, true
}

// modern reports whether a version of the language has all packages that copy.
func modern(v string) bool { return v == "" || version.Compare(v, "go1.21") >= 0 }

// heatAt is the heat of a place, or of what is done with the memory near to it.
func heatAt(w *mutate.Whole, p *place) float64 {
	heat := w.Narrowing.Heat(p.file.Name, line(w, p.expr.Pos()))
	for _, near := range p.near {
		heat = max(heat, nearby*w.Narrowing.Hottest(near.File, line(w, near.From), line(w, near.To)))
	}
	return heat
}

func line(w *mutate.Whole, pos token.Pos) int { return w.Program.Fset.PositionFor(pos, false).Line }

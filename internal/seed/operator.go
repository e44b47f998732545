package seed

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"go/ast"
	"slices"
	"strings"

	"mendel/analysis"
	"mendel/mutate"
)

// An Operator makes a kind of concurrency fault.
type Operator struct {
	Name   string // "dropsection"
	Does   string // one phrase: "removes a critical section and keeps its statements"
	ConMAn string // its counterparts there: "RSK, RSB"; "": none

	// find lists what the operator can do in a function, in source order.
	find func(f *function) []draft
}

// A function is one function of the package, with its critical sections.
type function struct {
	*mutate.Function
	sections []*mutate.Section
	uses     *uses
}

// A draft is a fault that an operator proposes. It may turn out not to compile.
type draft struct {
	at      ast.Node
	words   string // a sentence without its full stop
	changes []change
}

// A Fault is a faulty variant of a package: one file changed.
type Fault struct {
	Operator string `json:"operator"`
	File     string `json:"file"` // module-relative, slash-separated
	Line     int    `json:"line"` // of the original
	Func     string `json:"func"` // "(*Account).Transfer"
	Words    string `json:"words"`

	file   *analysis.File
	source []byte // of the file with the fault
}

// Operators are all operators, in the order in which they are told.
func Operators() []Operator {
	return slices.Concat(sectionOperators(), waitOperators(), atomicOperators(), channelOperators())
}

// operatorsNamed are those with the given names; all if there are none.
func operatorsNamed(names []string) ([]Operator, error) {
	all := Operators()
	if len(names) == 0 {
		return all, nil
	}
	var some []Operator
	for _, name := range names {
		i := slices.IndexFunc(all, func(op Operator) bool { return op.Name == name })
		if i < 0 {
			var known []string
			for _, op := range all {
				known = append(known, op.Name)
			}
			return nil, fmt.Errorf("--operators %s: there is no such operator; there are %s", name, strings.Join(known, ", "))
		}
		some = append(some, all[i])
	}
	return some, nil
}

// functionsOf lists the functions of the package under test, tests and
// generated files left out. The space of mutations is asked for them, since it
// knows their critical sections; an operator that edits nothing takes them down.
func functionsOf(p *analysis.Program) ([]*function, error) {
	var all []*function
	uses := usesOf(p.Packages[0])
	visit := &mutate.Operator{Name: "visit", Edits: func(fn *mutate.Function) []mutate.Edit {
		if fn.File.Package == p.Packages[0] {
			all = append(all, &function{Function: fn, sections: fn.Sections(), uses: uses})
		}
		return nil
	}}
	everything := analysis.NarrowTo(p, func(analysis.FindingKind, string) bool { return true })
	if _, err := mutate.NewSpace(p, everything, []*mutate.Operator{visit}); err != nil {
		return nil, fmt.Errorf("list the functions: %w", err)
	}
	slices.SortFunc(all, func(a, b *function) int {
		return cmp.Or(strings.Compare(a.File.Rel, b.File.Rel), cmp.Compare(a.Node.Pos(), b.Node.Pos()))
	})
	return all, nil
}

// find lists the faults of some operators that compile, each source once, by
// operator and then by place.
func find(p *analysis.Program, operators []Operator) ([]*Fault, error) {
	functions, err := functionsOf(p)
	if err != nil {
		return nil, err
	}
	return findIn(p, functions, operators), nil
}

// findIn is find in some functions.
func findIn(p *analysis.Program, functions []*function, operators []Operator) []*Fault {
	seen := map[[sha256.Size]byte]bool{}
	for _, f := range p.Packages[0].Files {
		seen[hashOf(f.Rel, f.Source)] = true
	}
	var faults []*Fault
	for _, op := range operators {
		for _, fn := range functions {
			for _, d := range op.find(fn) {
				fault, ok := fn.fault(op, d)
				if !ok || seen[hashOf(fault.File, fault.source)] || p.Check(fault.Files()) != nil {
					continue
				}
				seen[hashOf(fault.File, fault.source)] = true
				faults = append(faults, fault)
			}
		}
	}
	return faults
}

// fault makes a draft's source; ok is false if that is no Go.
func (f *function) fault(op Operator, d draft) (*Fault, bool) {
	source, err := apply(f.File, d.changes)
	if err != nil {
		return nil, false
	}
	return &Fault{
		Operator: op.Name, File: f.File.Rel, Line: f.line(d.at.Pos()), Func: f.Name,
		Words: d.words, file: f.File, source: source,
	}, true
}

func hashOf(name string, source []byte) [sha256.Size]byte {
	return sha256.Sum256(append([]byte(name+"\n"), source...))
}

// Files are what a fault changes, by absolute name.
func (f *Fault) Files() map[string][]byte { return map[string][]byte{f.file.Name: f.source} }

package deferdone

import (
	_ "embed"
	"go/ast"
	"go/types"
	"slices"

	"mendel/analysis/evidence"
	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/scope"
	"mendel/mutate/internal/syncops"
	"mendel/mutate/internal/waitgroups"
)

//go:embed doc.go
var doc string

// Operator defers the Done of a goroutine before anything else.
var Operator = &mutate.Operator{
	Name: "deferdone",
	Doc:  doc,
	Prior: map[evidence.Kind]float64{
		evidence.Deadlock: 4, evidence.Blocked: 4, evidence.Timeout: 4, evidence.Race: 0.3,
	},
	Faults: []evidence.Fault{evidence.WaitWithoutDone},
	Needs:  "goroutine that is counted in a wait group, and leaves without Done on some path",
	Edits:  edits,
	Apply:  apply,
}

// Forms of an edit.
const (
	early   = "early"   // Done is not reached on every path
	missing = "missing" // there is no Done
	nobody  = "nobody"  // there is none in the whole program
	late    = "late"    // the goroutine goes on after Done
)

func edits(fn *mutate.Function) []mutate.Edit {
	var out []mutate.Edit
	calls := waitgroups.Calls(fn)
	for _, group := range waitgroups.Groups(calls) {
		done := waitgroups.Select(calls, "Done", group)
		if rest, ok := goesOn(fn, done); ok && scope.Means(fn, done[0].Receiver(), fn.Body.Lbrace+1) {
			e := fn.NewEdit("deferdone", fn.Node, rest...)
			e.Form, e.Expr, e.Note, e.Group = late, done[0].Text, "only when all is done", waitgroups.Group(&e)
			out = append(out, e)
		}
		if len(done) == 0 || !waitgroups.Final(fn, done) || !waitgroups.Missed(fn, done) || !scope.Means(fn, done[0].Receiver(), fn.Body.Lbrace+1) {
			continue
		}
		e := fn.NewEdit("deferdone", fn.Node, done[0].At.Stmt)
		e.Form, e.Expr, e.Group = early, done[0].Text, waitgroups.Group(&e)
		e.Note = "also when it returns early"
		e.Heat = max(e.Heat, waitHeat(fn, group))
		out = append(out, e)
	}
	for _, f := range append(waitgroups.Meeting(fn), fn) {
		for _, c := range waitgroups.Calls(f) {
			out = append(out, uncounted(f, c)...)
		}
	}
	for _, g := range waitgroups.Goroutines(fn) {
		if group, ok := forgotten(fn, calls, g); ok {
			e := g.To.NewEdit("deferdone", g.Lit, g.Go)
			e.Form, e.Expr, e.Group = missing, group.String(), waitgroups.Group(&e)
			waitgroups.Warm(fn, &e, group)
			out = append(out, e)
		}
	}
	return out
}

// waitHeat is the heat of the waits for a group: of those in the function's file
// that name it, and of all that a goroutine is blocked at if the group may have
// other names there.
func waitHeat(fn *mutate.Function, group mutate.Path) float64 {
	root, ok := group.Root.(*types.Var)
	renamed := ok && (group.Rest != "" || root.Kind() != types.LocalVar ||
		waitgroups.Assigns(fn, syncops.Decl(fn), root)) // it has its address
	found := 0.0
	for _, pkg := range fn.Program.Packages {
		for _, f := range pkg.Files {
			ast.Inspect(f.AST, func(n ast.Node) bool {
				sel, ok := n.(*ast.SelectorExpr)
				if !ok || sel.Sel.Name != "Wait" {
					return true
				}
				heat, waits := fn.Narrowing.HeatAt(sel.Pos())
				named := f == fn.File && sameGroup(fn.Path(sel.X), group)
				if named || renamed && waits == "sync.WaitGroup.Wait" {
					found = max(found, heat)
				}
				return true
			})
		}
	}
	return found
}

// sameGroup reports whether two paths lead to one variable, or to the same field
// of values of one type.
func sameGroup(a, b mutate.Path) bool {
	if a.Root == nil || b.Root == nil || a.Rest != b.Rest {
		return false
	}
	return a.Root == b.Root || a.Rest != "" && syntax.SameGeneric(a.Root.Type(), b.Root.Type())
}

// forgotten is the group, of the function that starts a goroutine, which has
// an Add before the go statement and which the goroutine does not name at all.
func forgotten(fn *mutate.Function, calls []waitgroups.Call, g waitgroups.Goroutine) (group mutate.Path, ok bool) {
	if g.Lit == nil {
		return group, false
	}
	for _, c := range calls {
		if c.Method != "Add" || c.Group.Rest != "" || !c.Alone() || syntax.Names(fn.File.Package.Info, g.Go, c.Group.Root) {
			continue
		}
		i := slices.Index(c.At.List, c.At.Stmt)
		if i+1 == len(c.At.List) || !waitgroups.Contains(c.At.List[i+1], g.Go) {
			continue
		}
		if scope.Means(fn, c.Receiver(), g.Lit.Body.Lbrace+1) {
			return c.Group, true
		}
	}
	return group, false
}

func apply(m *mutate.Mutation, e mutate.Edit) error {
	fn := m.Function(e.File, e.Node)
	if fn == nil {
		return mutate.Refuse(e, "no function has this number")
	}
	if e.Form == early || e.Form == late {
		for _, c := range waitgroups.Calls(fn) {
			if c.Method != "Done" || c.Text != e.Expr {
				continue
			}
			if err := m.Remove(e.File, m.StmtOf(e.File, c.At.Stmt)); err != nil {
				return err
			}
		}
	}
	comment := ""
	if e.Note != "" {
		comment = " // " + e.Note
	}
	return m.Prepend(e.File, e.Node, "defer "+e.Expr+".Done()"+comment)
}

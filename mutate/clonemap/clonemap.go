package clonemap

import (
	_ "embed"
	"go/ast"
	"go/token"
	"go/types"
	"go/version"
	"slices"

	"mendel/analysis/evidence"
	"mendel/mutate"
	"mendel/mutate/fact/scope"
	"mendel/mutate/fact/typetext"
	"mendel/mutate/internal/capture"
)

//go:embed doc.go
var doc string

// Operator hands over a copy of a map or slice that its owner goes on changing.
var Operator = &mutate.Operator{
	Name: "clonemap",
	Doc:  doc,
	Prior: map[evidence.Kind]float64{
		evidence.Race: 4, evidence.Panic: 4, evidence.TestFailure: 3,
		evidence.Deadlock: 0.2, evidence.Blocked: 0.2, evidence.Timeout: 0.3,
	},
	Faults: []evidence.Fault{evidence.HandedOut},
	Needs:  "map or slice of a value that a lock guards, or that a cache has, and that is given away",
	Edits:  edits,
	Apply:  apply,
}

// Forms of the edit.
const (
	inPlace  = "place"    // Expr, "maps.Clone(c.items)", instead of the expression Node in the statement Other
	kept     = "kept"     // copies instead of all that the function gives away of what a container has, the first of which is Node
	argument = "argument" // Expr is what is called and how: "func(m Counts) {}(maps.Clone(m))"
	nested   = "nested"   // Expr, statements that make the copy "copied", stands in front of the statement Other, and copied instead of the expression Node
	literal  = "literal"  // Expr, "report{list: slices.Clone(r.list)}", instead of the expression Node in the statement Other
	declared = "variable" // Expr is declared in front of the statement Node: "m := maps.Clone(m)"
)

// nearby is what an edit has of the heat of the places that use its variable.
const nearby = 0.9

// lessLikely is the belief in copying the elements too or not, the unlikelier way. Maps
// in a map mostly change in their place, while slices mostly are appended to. Guessed.
const lessLikely = 0.8

func edits(fn *mutate.Function) []mutate.Edit {
	var out []mutate.Edit
	copies := sharedCopies(fn)
	for _, h := range copies {
		clone := cloneOf(fn, h.expr)
		if clone == "" || h.kept {
			continue
		}
		e := fn.NewEdit("clonemap", h.expr, h.at.Stmt)
		e.Form, e.Other, e.Expr, e.Note = inPlace, fn.ID(h.at.Stmt), clone, h.note()
		shallow, nested := warmed(fn, e, h.v), inner(fn, h.expr)
		if _, returns := h.at.Stmt.(*ast.ReturnStmt); returns {
			shallow.Heat = max(shallow.Heat, callersHeat(fn))
		}
		if nested == "" || old(fn) {
			out = append(out, shallow)
			continue
		}
		both := deep(fn, shallow, h.expr, packageFor(fn, h.expr), nested)
		if nested == "maps" {
			shallow.Doubt(lessLikely)
		} else {
			both.Doubt(lessLikely)
		}
		out = append(out, shallow, both)
	}
	out = append(out, keptEdits(fn, copies)...)
	if old(fn) {
		return out
	}
	out = append(append(out, structEdits(fn)...), appends(fn)...)
	for _, s := range capture.Starts(fn) {
		for _, v := range s.Captured(fn) {
			if e, ok := captured(fn, &s, v); ok {
				out = append(out, warmed(fn, e, v.Var))
			}
		}
	}
	return out
}

// old reports whether the file of a function is in a language without the packages maps and slices.
func old(fn *mutate.Function) bool {
	v := fn.File.Package.Info.FileVersions[fn.File.AST]
	return v != "" && version.Compare(v, "go1.21") < 0
}

// cloneOf is the text of a copy of an expression's value; "": there is none. Where there is no package slices, it is
// appended to nothing.
func cloneOf(fn *mutate.Function, e ast.Expr) string {
	pkg, text := packageFor(fn, e), types.ExprString(e)
	switch {
	case pkg == "" || hidden(fn, pkg, e.Pos()):
		return ""
	case !old(fn):
		return pkg + ".Clone(" + text + ")"
	case pkg == "maps":
		return ""
	}
	t, ok := typetext.Of(fn, fn.File.Package.Info.TypeOf(e), e.Pos())
	if !ok {
		return ""
	}
	return "append(" + t + "(nil), " + text + "...)"
}

// keptEdits copy what a container has wherever a function gives it away: who has got one of these values without a copy
// shares it with all who get it later.
func keptEdits(fn *mutate.Function, copies []sharedCopy) (out []mutate.Edit) {
	var done []*types.Var
	for _, first := range copies {
		if !first.kept || slices.Contains(done, first.v) || cloneOf(fn, first.expr) == "" {
			continue
		}
		done = append(done, first.v)
		var stmts []ast.Stmt
		for _, h := range copies {
			if h.kept && h.v == first.v {
				stmts = append(stmts, h.at.Stmt)
			}
		}
		e := fn.NewEdit("clonemap", first.expr, stmts...)
		e.Form, e.Count = kept, len(stmts)
		out = append(out, warmed(fn, e, first.v))
	}
	return out
}

// inner is the package that copies the elements of an expression's value; "": they are
// neither maps nor slices, or a copy of them cannot be made there.
func inner(fn *mutate.Function, e ast.Expr) string {
	elems, ok := fn.File.Package.Info.TypeOf(e).Underlying().(interface{ Elem() types.Type })
	if !ok {
		return ""
	}
	pkg := packageOf(elems.Elem())
	if pkg == "" || hidden(fn, pkg, e.Pos()) {
		return ""
	}
	return pkg
}

// deep copies the elements, too, which are maps or slices.
func deep(fn *mutate.Function, shallow mutate.Edit, expr ast.Expr, pkg, elems string) mutate.Edit {
	e, name := shallow, scope.FreeName(fn, "copied")
	e.Form, e.Group = nested, shallow.Group+" "+nested
	e.Expr = name + " := " + pkg + ".Clone(" + types.ExprString(expr) + ")\n" +
		"for key, inner := range " + name + " {\n" + name + "[key] = " + elems + ".Clone(inner)\n}"
	return e
}

// captured copies a map or slice for the literal of a start that only reads it.
func captured(fn *mutate.Function, s *capture.Start, v capture.Variable) (mutate.Edit, bool) {
	pkg := packageOf(v.Var.Type())
	if pkg == "" || hidden(fn, pkg, s.Stmt.Pos()) || !fn.Narrowing.Shared(v.Var) || v.Writes() || v.Addressed() {
		return mutate.Edit{}, false
	}
	w := elementWrites(fn, s.Stmt, v.Var)
	if w.in(s.Lit) || !w.after(s.Stmt.End(), s.Loop(fn, v.Var), s.Lit) {
		return mutate.Edit{}, false
	}
	e := s.Edit(fn, "clonemap", v)
	e.Note = "the goroutine's own copy: " + v.Var.Name() + " goes on changing"
	name := v.Var.Name()
	clone := pkg + ".Clone(" + name + ")"
	text, ok := typetext.Of(fn, v.Var.Type(), s.Lit.Pos())
	switch {
	case ok && s.TakesParameters():
		e.Form, e.Expr = argument, "func("+name+" "+text+") {}("+clone+")"
	case s.MayDeclare(fn, &v):
		e.Form, e.Expr = declared, name+" := "+clone
	default:
		return mutate.Edit{}, false
	}
	return e, true
}

// packageFor is the package that copies an expression's value; "": none does,
// or it is no variable or slice of one.
func packageFor(fn *mutate.Function, e ast.Expr) string {
	return packageOf(fn.File.Package.Info.TypeOf(e))
}

func packageOf(t types.Type) string {
	if t == nil {
		return ""
	}
	if _, parameter := types.Unalias(t).(*types.TypeParam); parameter {
		return ""
	}
	switch t.Underlying().(type) {
	case *types.Map:
		return "maps"
	case *types.Slice:
		return "slices"
	}
	return ""
}

// hidden reports whether a local declaration hides a package's name at a place.
func hidden(fn *mutate.Function, name string, at token.Pos) bool {
	own := fn.File.Package.Types.Scope()
	inner := own.Innermost(at)
	if inner == nil {
		return false
	}
	scope, _ := inner.LookupParent(name, at)
	return scope != nil && scope != own && scope != types.Universe && scope.Parent() != own
}

// warmed gives an edit the variable it is for, as its group, too, and heat from wherever that is
// used: what races with the owner is the receiver, who may be far away.
func warmed(fn *mutate.Function, e mutate.Edit, v *types.Var) mutate.Edit {
	e.Vars, e.Group = []string{fn.VarName(v)}, mutate.GroupOf(v)
	for _, pos := range uses(fn, v) {
		heat, _ := fn.Narrowing.HeatAt(pos)
		e.Heat = max(e.Heat, nearby*heat)
	}
	return e
}

// callersHeat is the heat of where callers of a function use what it has returned, as far as an edit of the function has
// part in it: who changes that there may be far away.
func callersHeat(fn *mutate.Function) (heat float64) {
	for _, from := range fn.Callers() {
		info := from.File.Package.Info
		for _, st := range from.Statements() {
			assign, ok := st.Stmt.(*ast.AssignStmt)
			if !ok || !slices.ContainsFunc(from.Calls(st.Stmt), func(c mutate.Call) bool { return c.To == fn }) {
				continue
			}
			for _, l := range assign.Lhs {
				id, ok := l.(*ast.Ident)
				if !ok || info.ObjectOf(id) == nil || packageOf(info.ObjectOf(id).Type()) == "" {
					continue
				}
				for used, obj := range info.Uses {
					if obj == info.ObjectOf(id) {
						at, _ := from.Narrowing.HeatAt(used.Pos())
						heat = max(heat, nearby*at)
					}
				}
			}
		}
	}
	return heat
}

// uses are the places, in no order, where the function's package uses a variable.
func uses(fn *mutate.Function, v *types.Var) []token.Pos {
	type usesIn struct{ info *types.Info }
	info := fn.File.Package.Info
	collect := func(wanted func(*types.Var) bool) map[*types.Var][]token.Pos {
		found := make(map[*types.Var][]token.Pos)
		for id, obj := range info.Uses {
			if used, ok := obj.(*types.Var); ok && wanted(used) {
				found[used] = append(found[used], id.Pos())
			}
		}
		return found
	}
	copied := func(v *types.Var) bool { return packageOf(v.Type()) != "" }
	if !copied(v) {
		return collect(func(used *types.Var) bool { return used == v })[v]
	}
	return mutate.Once(fn, usesIn{info}, func() map[*types.Var][]token.Pos { return collect(copied) })[v]
}

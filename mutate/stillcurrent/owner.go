package stillcurrent

import (
	"go/ast"
	"go/types"
	"slices"
	"strconv"

	"github.com/dave/dst"

	"mendel/analysis"
	"mendel/analysis/syntax"
	"mendel/mutate"
)

// A stamped timer is one in a field of a struct that gets a field more beside it, which is
// set where the timer is made and compared in the callback.
type stamped struct {
	all    []*arming
	field  *types.Var // the timer's
	file   *analysis.File
	decl   *ast.Field
	list   *ast.FieldList
	owners []string // "h" of h.timer, at each arming
	name   string   // of the new field
}

// stamp finds the declaration of the timer's field, and a free name for the new one.
func stamp(a *arming, name string) (s *stamped, ok bool) {
	all, alone := a.siblings()
	s = &stamped{all: all, field: a.timerField(), name: name}
	if s.field == nil || !alone || !s.declared() {
		return nil, false
	}
	for _, other := range s.all {
		if other.timerField() != s.field {
			return nil, false
		}
		s.owners = append(s.owners, types.ExprString(ast.Unparen(other.timer).(*ast.SelectorExpr).X))
	}
	return s, s.everywhere()
}

// declared finds the field's declaration, in a struct that has no field or method of the new
// one's name.
func (s *stamped) declared() bool {
	d := fieldsOf(s.all[0].fn)[s.field]
	if d == nil || len(d.decl.Names) != 1 {
		return false
	}
	s.file, s.decl, s.list = d.file, d.decl, d.list
	t := s.all[0].info.TypeOf(ast.Unparen(s.all[0].timer).(*ast.SelectorExpr).X)
	obj, _, _ := types.LookupFieldOrMethod(t, true, s.field.Pkg(), s.name)
	return obj == nil
}

// A declaredField is where a field is declared.
type declaredField struct {
	file *analysis.File
	decl *ast.Field
	list *ast.FieldList
}

// fieldsOf finds the declarations of the fields in those files of a function's package that
// have functions which may be edited.
func fieldsOf(fn *mutate.Function) map[types.Object]*declaredField {
	type fieldsIn struct{ pkg *analysis.Package }
	return mutate.Once(fn, fieldsIn{fn.File.Package}, func() map[types.Object]*declaredField {
		found, seen := make(map[types.Object]*declaredField), make(map[*analysis.File]bool)
		for _, fn := range fn.OfPackage() {
			if seen[fn.File] {
				continue
			}
			seen[fn.File] = true
			for n := range ast.Preorder(fn.File.AST) {
				list, ok := n.(*ast.StructType)
				if !ok {
					continue
				}
				for _, f := range list.Fields.List {
					for _, id := range f.Names {
						found[fn.File.Package.Info.Defs[id]] = &declaredField{fn.File, f, list.Fields}
					}
				}
			}
		}
		return found
	})
}

// everywhere reports whether the armings are all places where the timer is set.
func (s *stamped) everywhere() bool {
	return setsOf(s.all[0].fn)[s.field] == len(s.all)
}

// setsOf counts, for each field, where the program sets it to something other than nil.
func setsOf(fn *mutate.Function) map[*types.Var]int {
	type sets struct{}
	return mutate.Once(fn, sets{}, func() map[*types.Var]int {
		found := make(map[*types.Var]int)
		for _, fn := range fn.OfProgram() {
			info := fn.File.Package.Info
			for _, st := range fn.Statements() {
				for i, lhs := range syntax.Assigned(st.Stmt) {
					if v := syntax.Variable(info, lhs); v != nil && v.IsField() && !toNil(info, st.Stmt, i) {
						found[v.Origin()]++
					}
				}
			}
		}
		return found
	})
}

// again reports whether the function that stops the timer makes a new one behind that.
func (s *stamped) again(stop timerCall) bool {
	return slices.ContainsFunc(s.all, func(a *arming) bool {
		return a.fn.Node == stop.fn.Node && a.st.Stmt.Pos() > stop.call.Pos()
	})
}

// toNil reports whether a statement sets what it assigns to at a position to nil.
func toNil(info *types.Info, s ast.Stmt, at int) bool {
	a, ok := s.(*ast.AssignStmt)
	return ok && len(a.Rhs) == len(a.Lhs) && info.Types[a.Rhs[at]].IsNil()
}

func (s *stamped) functions() (fns []*mutate.Function) {
	for _, a := range s.all {
		fns = append(fns, a.fn, a.act)
	}
	for _, method := range []string{"Reset", "Stop"} {
		for _, call := range s.all[0].timerCalls(s.field, method) {
			fns = append(fns, call.fn)
		}
	}
	return fns
}

// owner is what the section calls the value whose timer has fired: the callback's literal
// the same, a method its receiver; "": it has no name for it.
func (s *stamped) owner() string {
	a := s.all[0]
	sel := ast.Unparen(a.timer).(*ast.SelectorExpr)
	id, ok := ast.Unparen(sel.X).(*ast.Ident)
	if !ok {
		return ""
	}
	decl, ok := a.act.Node.(*ast.FuncDecl)
	if !ok {
		if a.info.Uses[id].Pos() < a.st.Stmt.Pos() {
			return id.Name
		}
		return ""
	}
	for _, other := range s.all {
		fun, value := other.value, other.timer
		if other.call != nil {
			fun = other.call.Fun
		}
		method, ok := ast.Unparen(fun).(*ast.SelectorExpr)
		if !ok || types.ExprString(method.X) != types.ExprString(ast.Unparen(value).(*ast.SelectorExpr).X) {
			return ""
		}
	}
	if decl.Recv == nil || len(decl.Recv.List[0].Names) == 0 {
		return ""
	}
	return decl.Recv.List[0].Names[0].Name
}

// declare puts the new field behind the timer's.
func (s *stamped) declare(m *mutate.Mutation, e mutate.Edit, typ dst.Expr, comment string) error {
	list, is := m.Of(s.file.Rel, s.list).(*dst.FieldList)
	timer, ok := m.Of(s.file.Rel, s.decl).(*dst.Field)
	if !is || !ok {
		return mutate.Refuse(e, "another edit removed the timer")
	}
	own := &dst.Field{Names: []*dst.Ident{dst.NewIdent(s.name)}, Type: typ}
	own.Decs.Before, own.Decs.After = dst.NewLine, timer.Decs.After
	own.Decs.End.Append("// " + comment)
	timer.Decs.After = dst.NewLine
	list.List = slices.Insert(list.List, slices.Index(list.List, timer)+1, own)
	return nil
}

// freeName is a name that a function does not use.
func freeName(fn *mutate.Function, name string) string {
	used := make(map[string]bool)
	for _, d := range fn.File.AST.Decls {
		if !syntax.Within(fn.Node, ast.Node(d)) {
			continue
		}
		for n := range ast.Preorder(d) {
			if id, ok := n.(*ast.Ident); ok {
				used[id.Name] = true
			}
		}
	}
	free := name
	for i := 2; used[free]; i++ {
		free = name + strconv.Itoa(i)
	}
	return free
}

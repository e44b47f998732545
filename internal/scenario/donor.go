package scenario

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"mendel/analysis"
)

// A donor is a test of the program that prepares a value whose methods can be called.
type donor struct {
	file    *analysis.File
	test    string     // name of the function; "": made prepares the value, not a test
	t       string     // name of its *testing.T
	subject *types.Var // the value in the test; nil: none
	name    string     // of the variable that holds it; "": functions of the package are called
	typ     types.Type // of the variable
	named   *types.Named
	second  bool   // another donor prepares a value of the same type
	made    string // source that prepares the value
	// prepare are the statements that the value needs, populate those that the test does next
	// in its own goroutine, start the calls that it leaves running, ends what it defers.
	prepare, populate, start, ends []ast.Stmt
	locals                         map[*types.Var]bool // declared by these
}

// donors finds the values that a test function prepares.
func (m *maker) donors(f *analysis.File, fd *ast.FuncDecl) []*donor {
	var all []*donor
	ast.Inspect(fd, func(n ast.Node) bool {
		var typ *ast.FuncType
		var body *ast.BlockStmt
		switch n := n.(type) {
		case *ast.FuncDecl:
			typ, body = n.Type, n.Body
		case *ast.FuncLit:
			typ, body = n.Type, n.Body
		default:
			return true
		}
		if t := testParameter(f.Package.Info, typ); t != "" && body != nil {
			all = append(all, m.inBody(f, fd.Name.Name, t, body)...)
		}
		return true
	})
	return all
}

// testParameter is the name of the only parameter of a test's function, a *testing.T; "": it is none.
func testParameter(info *types.Info, typ *ast.FuncType) string {
	if typ.Params.NumFields() != 1 || len(typ.Params.List[0].Names) != 1 {
		return ""
	}
	if types.TypeString(info.TypeOf(typ.Params.List[0].Type), nil) != "*testing.T" {
		return ""
	}
	return typ.Params.List[0].Names[0].Name
}

// inBody finds the values that statements of a test's body prepare.
func (m *maker) inBody(f *analysis.File, test, t string, body *ast.BlockStmt) []*donor {
	var all []*donor
	for i, s := range body.List {
		for _, v := range declared(f.Package.Info, s) {
			named := m.subjectType(v.Type())
			if named == nil {
				continue
			}
			d := &donor{file: f, test: test, t: t, subject: v, name: v.Name(), typ: v.Type(), named: named, locals: map[*types.Var]bool{}}
			if d.carve(body, i) {
				all = append(all, d)
			}
		}
	}
	return all
}

// subjectType is the type of the module whose methods a value has; nil: it is of no such type.
func (m *maker) subjectType(t types.Type) *types.Named {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || m.owned[n.Obj().Pkg()] == nil {
		return nil
	}
	if f := m.program.File(m.program.Fset.Position(n.Obj().Pos()).Filename); f == nil || f.Test {
		return nil
	}
	return n
}

// carve takes from a test's body what prepares the value that statement i declares. False: it
// cannot be taken out of it.
func (d *donor) carve(body *ast.BlockStmt, i int) bool {
	info := d.file.Package.Info
	needed := map[*types.Var]bool{}
	add := func(s ast.Stmt) {
		for _, v := range declared(info, s) {
			d.locals[v] = true
		}
		for v := range d.outer(s) {
			needed[v] = true
		}
	}
	add(body.List[i])
	d.prepare = []ast.Stmt{body.List[i]}
	for k := i - 1; k >= 0; k-- {
		s := body.List[k]
		if _, deferred := s.(*ast.DeferStmt); deferred || !mentions(info, s, needed) {
			continue
		}
		if concurrent(s) {
			return false
		}
		add(s)
		d.prepare = append([]ast.Stmt{s}, d.prepare...)
	}
	for v := range needed {
		if !d.locals[v] {
			return false // of a loop, a table or an enclosing function
		}
	}
	d.proceed(body, i)
	return true
}

// proceed takes from a test's body what it does with the value from its own goroutine, as far as
// only what is prepared is needed for it.
func (d *donor) proceed(body *ast.BlockStmt, i int) {
	info, alone := d.file.Package.Info, true
	for k, s := range body.List {
		if known := d.closed(s); !known {
			if k > i && alone && concurrent(s) {
				alone = false
			}
			continue
		}
		switch s := s.(type) {
		case *ast.DeferStmt:
			d.ends = append(d.ends, s)
		case *ast.GoStmt:
			if _, literal := s.Call.Fun.(*ast.FuncLit); !literal && k > i && len(d.start) == 0 && alone && mentions(info, s, map[*types.Var]bool{d.subject: true}) {
				d.start = append(d.start, s)
			} else if k > i {
				alone = false
			}
		case *ast.ExprStmt, *ast.AssignStmt, *ast.IfStmt, *ast.RangeStmt, *ast.ForStmt, *ast.DeclStmt:
			if k <= i {
				continue
			}
			if concurrent(s) || d.closesSubject(s) {
				alone = false
			}
			if alone {
				for _, v := range declared(info, s) {
					d.locals[v] = true
				}
				d.populate = append(d.populate, s)
			}
		}
	}
}

// closesSubject says whether a statement ends the life of the value.
func (d *donor) closesSubject(s ast.Stmt) (found bool) {
	ast.Inspect(s, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if ok && slices.Contains(closers, sel.Sel.Name) && mentions(d.file.Package.Info, sel.X, map[*types.Var]bool{d.subject: true}) {
			found = true
		}
		return !found
	})
	return found
}

// loops counts the loops in what the test does with the value.
func (d *donor) loops() (n int) {
	for _, s := range d.populate {
		ast.Inspect(s, func(x ast.Node) bool {
			switch x.(type) {
			case *ast.ForStmt, *ast.RangeStmt:
				n++
			}
			return true
		})
	}
	return n
}

// closed says whether a statement uses only variables that are prepared.
func (d *donor) closed(s ast.Stmt) bool {
	for v := range d.outer(s) {
		if !d.locals[v] {
			return false
		}
	}
	return true
}

// outer are the local variables that a statement uses and does not declare, but for the test's
// *testing.T.
func (d *donor) outer(n ast.Node) map[*types.Var]bool {
	outer := map[*types.Var]bool{}
	for v := range free(d.file.Package.Info, n) {
		if v.Name() != d.t || types.TypeString(v.Type(), nil) != "*testing.T" {
			outer[v] = true
		}
	}
	return outer
}

// free are the local variables that a node uses and does not declare.
func free(info *types.Info, n ast.Node) map[*types.Var]bool {
	all := map[*types.Var]bool{}
	ast.Inspect(n, func(x ast.Node) bool {
		id, ok := x.(*ast.Ident)
		if !ok {
			return true
		}
		v, ok := info.Uses[id].(*types.Var)
		if ok && !v.IsField() && !isPackageVariable(v) && v.Pkg() != nil && (v.Pos() < n.Pos() || v.Pos() >= n.End()) {
			all[v] = true
		}
		return true
	})
	return all
}

// declared are the variables that a statement of a body declares in it.
func declared(info *types.Info, s ast.Stmt) []*types.Var {
	var names []*ast.Ident
	switch s := s.(type) {
	case *ast.AssignStmt:
		if s.Tok != token.DEFINE {
			return nil
		}
		for _, l := range s.Lhs {
			if id, ok := l.(*ast.Ident); ok {
				names = append(names, id)
			}
		}
	case *ast.DeclStmt:
		g, ok := s.Decl.(*ast.GenDecl)
		if !ok || g.Tok != token.VAR {
			return nil
		}
		for _, spec := range g.Specs {
			names = append(names, spec.(*ast.ValueSpec).Names...)
		}
	}
	var all []*types.Var
	for _, id := range names {
		if v, ok := info.Defs[id].(*types.Var); ok && id.Name != "_" {
			all = append(all, v)
		}
	}
	return all
}

// mentions says whether a node uses or declares one of some variables.
func mentions(info *types.Info, n ast.Node, some map[*types.Var]bool) (found bool) {
	ast.Inspect(n, func(x ast.Node) bool {
		if id, ok := x.(*ast.Ident); ok {
			if v, ok := info.ObjectOf(id).(*types.Var); ok && some[v] {
				found = true
			}
		}
		return !found
	})
	return found
}

// concurrent says whether a statement starts goroutines or communicates with them, sleeps, or is a
// subtest. What a function literal in it does when it is called is another matter.
func concurrent(s ast.Stmt) (found bool) {
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.GoStmt, *ast.SelectStmt, *ast.SendStmt:
			found = true
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW
		case *ast.CallExpr:
			if sel, ok := n.Fun.(*ast.SelectorExpr); ok {
				switch sel.Sel.Name {
				case "Go", "Run", "Sleep", "Wait", "Parallel", "Eventually":
					found = true
				}
			}
		}
		return !found
	})
	return found
}

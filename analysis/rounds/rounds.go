package rounds

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"mendel/analysis"
)

// Least is how many rounds are worth while shrinking: guessed.
const Least = 50

// A Loop goes round a constant number of times, Least or more.
type Loop struct {
	Function string // declared one that it stands in
	File     string // absolute
	Line     int
	Rounds   int64
}

func (l Loop) String() string {
	return fmt.Sprintf("%s goes round %d times (%s:%d)", l.Function, l.Rounds, filepath.Base(l.File), l.Line)
}

// A Change is another number in the source.
type Change struct {
	What     string // name of the constant, variable or function whose argument it is; "": a number
	File     string // absolute
	Line     int
	From, To int64
}

func (c Change) String() string {
	what := c.What
	if what == "" {
		what = "a number"
	}
	return fmt.Sprintf("%s is %d in place of %d (%s:%d)", what, c.To, c.From, filepath.Base(c.File), c.Line)
}

// Of are the loops of test files, in the order of the source.
func Of(pkgs []*analysis.Package) []Loop {
	f := find(pkgs, 0)
	return f.loops
}

// OfTest are the loops that a test comes to, as far as functions of test files mention each
// other.
func OfTest(pkgs []*analysis.Package, test string) (loops []Loop) {
	test, _, _ = strings.Cut(test, "/")
	f := find(pkgs, 0)
	reached := f.mentioned(test)
	return slices.DeleteFunc(f.loops, func(l Loop) bool { return !reached[l.Function] })
}

// mentioned are the names of functions that one of a name mentions, itself included.
func (f *finder) mentioned(name string) map[string]bool {
	reached := map[string]bool{name: true}
	for todo := []string{name}; len(todo) > 0; {
		name := todo[0]
		todo = todo[1:]
		for _, file := range f.files {
			for _, d := range file.AST.Decls {
				d, ok := d.(*ast.FuncDecl)
				if !ok || d.Name.Name != name || d.Body == nil {
					continue
				}
				ast.Inspect(d.Body, func(n ast.Node) bool {
					if id, ok := n.(*ast.Ident); ok {
						if fn, ok := file.info.Uses[id].(*types.Func); ok && !reached[fn.Name()] {
							reached[fn.Name()] = true
							todo = append(todo, fn.Name())
						}
					}
					return true
				})
			}
		}
	}
	return reached
}

// Shrink divides the rounds of all loops, and at least two are left. It returns the files that
// change, by absolute names. A number is left as it is if the program with it does not build:
// of a constant an array may be made, or a float that has to be whole.
func Shrink(pkgs []*analysis.Package, by int, builds func(files map[string][]byte) bool) (files map[string][]byte, changes []Change) {
	var edits []edit
	f := find(pkgs, int64(by))
	for _, file := range f.files {
		of := f.edits[file.File]
		for _, at := range slices.Sorted(maps.Keys(of)) {
			edits = append(edits, of[at])
		}
	}
	if files = texts(edits); len(edits) > 0 && !builds(files) {
		var kept []edit
		for _, e := range edits {
			if with := append(slices.Clone(kept), e); builds(texts(with)) {
				kept = with
			}
		}
		edits, files = kept, texts(kept)
	}
	for _, e := range edits {
		changes = append(changes, e.Change)
	}
	return files, changes
}

// texts are the files with edits, which are in the order of the source.
func texts(edits []edit) map[string][]byte {
	files := map[string][]byte{}
	for _, e := range slices.Backward(edits) {
		text, ok := files[e.File]
		if !ok {
			text = e.source
		}
		files[e.File] = slices.Concat(text[:e.start], []byte(strconv.FormatInt(e.To, 10)), text[e.end:])
	}
	return files
}

// fewer is a number of rounds, divided.
func fewer(n, by int64) int64 { return max(n/by, min(n, 2)) }

// A finder looks for loops in the test files of packages.
type finder struct {
	by    int64 // 0: nothing is changed
	files []*testFile
	loops []Loop
	edits map[*analysis.File]map[int]edit // by offset
}

// A testFile is one with its types.
type testFile struct {
	*analysis.File
	info *types.Info
}

// An edit puts a number in the place of an expression.
type edit struct {
	source     []byte // of the file
	start, end int    // offsets
	Change
}

func find(pkgs []*analysis.Package, by int64) *finder {
	f := &finder{by: by, edits: map[*analysis.File]map[int]edit{}}
	for _, pkg := range pkgs {
		for _, file := range pkg.Files {
			if file.Test {
				f.files = append(f.files, &testFile{file, pkg.Info})
			}
		}
	}
	for _, file := range f.files {
		for _, d := range file.AST.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Body != nil {
				f.function(file, d)
			}
		}
	}
	return f
}

// function looks at the loops of a function.
func (f *finder) function(file *testFile, d *ast.FuncDecl) {
	ast.Inspect(d.Body, func(n ast.Node) bool {
		bound := file.bound(n)
		if bound == nil {
			return true
		}
		s := &search{finder: f, seen: map[types.Object]bool{}}
		if most := s.number(file, d, bound); most >= Least {
			f.loops = append(f.loops, Loop{d.Name.Name, file.Name, file.line(n.Pos()), most})
		}
		return true
	})
}

// line is that of a position.
func (file *testFile) line(p token.Pos) int {
	return 1 + strings.Count(string(file.Source[:file.offset(p)]), "\n")
}

func (file *testFile) offset(p token.Pos) int { return int(p - file.AST.FileStart) }

// bound is the expression that says how often a loop goes round; nil: n is no loop that
// counts from a constant.
func (file *testFile) bound(n ast.Node) ast.Expr {
	switch n := n.(type) {
	case *ast.RangeStmt:
		if t := file.info.TypeOf(n.X); t != nil {
			if b, ok := t.Underlying().(*types.Basic); ok && b.Info()&types.IsInteger != 0 {
				return n.X
			}
		}
	case *ast.ForStmt:
		init, ok := n.Init.(*ast.AssignStmt)
		cond, less := n.Cond.(*ast.BinaryExpr)
		post, up := n.Post.(*ast.IncDecStmt)
		if !ok || !less || !up || post.Tok != token.INC || len(init.Rhs) != 1 || file.info.Types[init.Rhs[0]].Value == nil {
			return nil
		}
		if cond.Op != token.LSS && cond.Op != token.LEQ && cond.Op != token.NEQ {
			return nil
		}
		i, ok := cond.X.(*ast.Ident)
		of, counts := init.Lhs[0].(*ast.Ident)
		if ok && counts && file.info.Defs[of] != nil && file.info.Uses[i] == file.info.Defs[of] {
			return cond.Y
		}
	}
	return nil
}

// A search follows an expression to the numbers that it is.
type search struct {
	*finder
	seen map[types.Object]bool
}

// number is the largest value that an expression has, as far as it is known; what is Least or
// more is changed where it stands.
func (s *search) number(file *testFile, within *ast.FuncDecl, e ast.Expr) int64 {
	e = ast.Unparen(e)
	if call, ok := e.(*ast.CallExpr); ok && file.info.Types[call.Fun].IsType() && len(call.Args) == 1 {
		return s.number(file, within, call.Args[0])
	}
	if v := file.info.Types[e].Value; v != nil {
		n, ok := constant.Int64Val(constant.ToInt(v))
		if !ok || n < Least {
			return 0
		}
		s.constants(file, within, e, n)
		return n
	}
	id, ok := e.(*ast.Ident)
	if !ok {
		return 0
	}
	v, ok := file.info.Uses[id].(*types.Var)
	if !ok || s.seen[v] {
		return 0
	}
	s.seen[v] = true
	if at, is := parameter(file.info, within, v); is {
		return s.arguments(file, within, at)
	}
	value, where := s.only(file, within, v)
	if value == nil {
		return 0
	}
	if t := where.info.Types[value]; t.Value != nil {
		n, ok := constant.Int64Val(constant.ToInt(t.Value))
		if !ok || n < Least {
			return 0
		}
		if !s.named(where, value) {
			s.change(where, value, v.Name(), n)
		}
		return n
	}
	return s.number(where, within, value)
}

// constants changes the constants of test files that an expression names, or else itself and,
// in the function, the numbers that are the same.
func (s *search) constants(file *testFile, within *ast.FuncDecl, e ast.Expr, n int64) {
	if s.named(file, e) {
		return
	}
	s.change(file, e, "", n)
	if _, literal := e.(*ast.BasicLit); !literal {
		return
	}
	ast.Inspect(within, func(other ast.Node) bool {
		if l, ok := other.(*ast.BasicLit); ok && l.Kind == token.INT {
			if v := constant.MakeFromLiteral(l.Value, l.Kind, 0); constant.Compare(v, token.EQL, constant.MakeInt64(n)) {
				s.change(file, l, "", n)
			}
		}
		return true
	})
}

// named changes the constants of test files that an expression names; false: there is none
// that is large enough.
func (s *search) named(file *testFile, e ast.Expr) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		c, ok := file.info.Uses[id].(*types.Const)
		if !ok {
			return true
		}
		n64, ok := constant.Int64Val(constant.ToInt(c.Val()))
		if !ok || n64 < Least {
			return true
		}
		for _, f := range s.files {
			if value := f.valueOf(c); value != nil {
				found = true
				if !s.named(f, value) {
					s.change(f, value, c.Name(), n64)
				}
			}
		}
		return true
	})
	return found
}

// valueOf is the expression that a constant, or a variable of the package, is declared with;
// nil: it is not in this file.
func (file *testFile) valueOf(o types.Object) (value ast.Expr) {
	if o.Pos() < file.AST.FileStart || o.Pos() >= file.AST.FileEnd {
		return nil
	}
	ast.Inspect(file.AST, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if ok && len(spec.Names) == len(spec.Values) {
			for i, id := range spec.Names {
				if file.info.Defs[id] == o {
					value = spec.Values[i]
				}
			}
		}
		return value == nil
	})
	return value
}

// parameter is the place of a variable among a function's parameters.
func parameter(info *types.Info, d *ast.FuncDecl, v *types.Var) (at int, is bool) {
	for _, field := range d.Type.Params.List {
		for _, id := range field.Names {
			if info.Defs[id] == v {
				return at, d.Recv == nil
			}
			at++
		}
		if len(field.Names) == 0 {
			at++
		}
	}
	return 0, false
}

// arguments is the largest number that a function of test files is given.
func (s *search) arguments(file *testFile, d *ast.FuncDecl, at int) (most int64) {
	fn := file.info.Defs[d.Name]
	for _, f := range s.files {
		for _, decl := range f.AST.Decls {
			caller, ok := decl.(*ast.FuncDecl)
			if !ok || caller.Body == nil || isBenchmark(caller) {
				continue
			}
			ast.Inspect(caller.Body, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok || at >= len(call.Args) {
					return true
				}
				id, ok := ast.Unparen(call.Fun).(*ast.Ident)
				if !ok || f.info.Uses[id] != fn {
					return true
				}
				e := ast.Unparen(call.Args[at])
				if v := f.info.Types[e].Value; v != nil {
					if n, ok := constant.Int64Val(constant.ToInt(v)); ok && n >= Least {
						most = max(most, n)
						if !s.named(f, e) {
							s.change(f, e, d.Name.Name+"'s argument", n)
						}
					}
				} else {
					most = max(most, s.number(f, caller, e))
				}
				return true
			})
		}
	}
	return most
}

func isBenchmark(d *ast.FuncDecl) bool { return strings.HasPrefix(d.Name.Name, "Benchmark") }

// only is the one value that a variable of a function, or of the package, is given.
func (s *search) only(file *testFile, within *ast.FuncDecl, v *types.Var) (value ast.Expr, where *testFile) {
	root := ast.Node(within)
	if v.Parent() == v.Pkg().Scope() {
		for _, f := range s.files {
			if value = f.valueOf(v); value != nil {
				where = f
			}
		}
		if value == nil {
			return nil, nil
		}
	}
	times := 0
	give := func(f *testFile, names, values []ast.Expr) {
		for i, name := range names {
			id, ok := name.(*ast.Ident)
			if !ok || f.info.Defs[id] != v && f.info.Uses[id] != v {
				continue
			}
			times++
			if len(values) == len(names) {
				value, where = values[i], f
			}
		}
	}
	in := []*testFile{file}
	if where != nil {
		root, in = nil, s.files
	}
	for _, f := range in {
		n := root
		if n == nil {
			n = f.AST
		}
		ast.Inspect(n, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				if n.Tok == token.DEFINE || n.Tok == token.ASSIGN {
					give(f, n.Lhs, n.Rhs)
				} else {
					give(f, n.Lhs, nil)
				}
			case *ast.ValueSpec:
				var names []ast.Expr
				for _, id := range n.Names {
					names = append(names, id)
				}
				give(f, names, n.Values)
			case *ast.RangeStmt:
				give(f, []ast.Expr{n.Key, n.Value}, nil)
			case *ast.IncDecStmt:
				give(f, []ast.Expr{n.X}, nil)
			case *ast.UnaryExpr:
				if n.Op == token.AND {
					give(f, []ast.Expr{n.X}, nil)
				}
			}
			return true
		})
	}
	if times != 1 {
		return nil, nil
	}
	return value, where
}

// change notes that a number is to stand in the place of an expression, in one line.
func (s *search) change(file *testFile, e ast.Expr, what string, n int64) {
	from, to := file.offset(e.Pos()), file.offset(e.End())
	if s.by < 2 || strings.Contains(string(file.Source[from:to]), "\n") {
		return
	}
	edits := s.edits[file.File]
	if edits == nil {
		edits = map[int]edit{}
		s.edits[file.File] = edits
	}
	for at, e := range edits {
		if at < to && from < e.end {
			return // it is a part of another, or the same
		}
	}
	edits[from] = edit{file.Source, from, to, Change{what, file.Name, file.line(e.Pos()), n, fewer(n, s.by)}}
}

package noise

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"hash/fnv"
	"slices"

	"mendel/analysis"
	"mendel/internal/rewrite"
)

// A text is that of a file which gets hooks.
type text struct {
	rel    string // makes the hooks' numbers differ between files
	name   string // a free one, for the import
	source []byte
	fset   *token.FileSet
	syntax *ast.File
	recogniser
}

// parse reads a text without types; what it mentions is known by name. It returns false if
// it does not parse.
func parse(rel, name string, source []byte, vars map[string]bool) (t text, ok bool) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, rel, source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return t, false
	}
	return text{rel, name, source, fset, file, named{vars, channels(file)}}, true
}

// instrumented returns the text with hooks, or the source itself if it needs none.
func (t text) instrumented() []byte {
	file := t.syntax
	in := &instrumenter{
		recogniser: t.recogniser, File: rewrite.NewFile(t.fset, file, t.source), file: file, rel: t.rel, name: t.name,
		tests: tests(file), inVain: map[ast.Stmt]bool{}, counts: map[string]int{},
	}
	for _, decl := range file.Decls {
		if fn, ok := decl.(*ast.FuncDecl); ok {
			in.unit = analysis.FuncName(fn)
			in.function(fn)
		} else {
			in.unit = ""
			in.nested(decl)
		}
	}
	if in.Len() == 0 {
		return t.source
	}
	in.Import(t.name, rewrite.NoisePath)
	return in.Apply()
}

// An instrumenter collects insertions into one file.
type instrumenter struct {
	*rewrite.File
	recogniser
	file   *ast.File
	rel    string
	name   string
	tests  map[string]bool   // names by which tests are known in the file
	inVain map[ast.Stmt]bool // statements after a wait that a timer has ended
	unit   string            // the function that is being instrumented; "": other declarations
	counts map[string]int    // hooks so far, by unit
}

// point is the call of the next hook. Its number is stable as long as the hooks
// before it in the function are: mutants have that of the original elsewhere.
func (in *instrumenter) point(function string) string {
	in.counts[in.unit]++
	h := fnv.New32a()
	fmt.Fprintf(h, "%s#%s#%d", in.rel, in.unit, in.counts[in.unit])
	return fmt.Sprintf("%s.%s(%d)", in.name, function, h.Sum32())
}

// first puts a hook at the beginning of a body, after its brace or colon.
func (in *instrumenter) first(at token.Pos, function string) {
	in.Insert(at+1, " "+in.point(function)+";")
}

// function instruments a declared function. Those with directives that
// restrict what they may call, or exclude them, are left alone.
func (in *instrumenter) function(fn *ast.FuncDecl) {
	if fn.Body == nil || analysis.Restricted(fn.Doc) || analysis.Excluded(fn.Doc) {
		return
	}
	in.watch(fn)
	in.block(fn.Body.List, false)
	in.nested(fn.Body)
}

// nested instruments the statement lists below a node.
func (in *instrumenter) nested(root ast.Node) {
	ast.Inspect(root, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt:
			if n != root && !clauses(n) {
				in.block(n.List, in.isHooked(n.Lbrace))
			}
		case *ast.CaseClause:
			in.block(n.Body, false)
		case *ast.CommClause:
			in.timedOut(n)
			in.first(n.Colon, "P")
			in.block(n.Body, true)
		case *ast.ForStmt:
			if in.relevant(n.Cond) {
				in.first(n.Body.Lbrace, "P")
			}
		case *ast.RangeStmt:
			if in.receives(n) {
				in.first(n.Body.Lbrace, "P")
			}
		case *ast.GoStmt:
			in.goroutine(n.Call.Fun)
		case *ast.CallExpr:
			if sel, ok := n.Fun.(*ast.SelectorExpr); ok && (sel.Sel.Name == "Go" || sel.Sel.Name == "AfterFunc") {
				for _, arg := range n.Args {
					in.goroutine(arg) // errgroup.Group.Go, sync.WaitGroup.Go, time.AfterFunc
				}
			}
		}
		return true
	})
}

// clauses reports whether a block is that of a switch or select.
func clauses(b *ast.BlockStmt) bool {
	if len(b.List) == 0 {
		return false
	}
	switch b.List[0].(type) {
	case *ast.CaseClause, *ast.CommClause:
		return true
	}
	return false
}

// goroutine puts a hook at the beginning of a function literal that runs in a goroutine of its own.
func (in *instrumenter) goroutine(fn ast.Expr) {
	if lit, ok := ast.Unparen(fn).(*ast.FuncLit); ok {
		in.first(lit.Body.Lbrace, "G")
	}
}

// isHooked reports whether a hook was put right after a brace.
func (in *instrumenter) isHooked(brace token.Pos) bool { return in.IsAt(brace + 1) }

// block puts hooks between the statements of one list. hooked reports whether
// one stands before the first already.
func (in *instrumenter) block(list []ast.Stmt, hooked bool) {
	for _, s := range list {
		if in.fails(s) {
			in.Insert(s.Pos(), in.name+"."+in.failure(s)+"(); ")
		}
		before, after := in.hooks(s)
		if before && !hooked {
			in.Insert(s.Pos(), in.point("P")+"; ")
		}
		if after {
			in.Insert(s.End(), "; "+in.point("A"))
		}
		hooked = after
	}
}

// hooks decides whether a statement gets hooks before and after it, without the
// statements inside it. A hook must not follow a statement that ends a function, so
// only simple statements, which never end one, get a hook after them.
func (in *instrumenter) hooks(s ast.Stmt) (before, after bool) {
	for {
		l, ok := s.(*ast.LabeledStmt)
		if !ok {
			break
		}
		s = l.Stmt
	}
	switch s := s.(type) {
	case *ast.GoStmt, *ast.SendStmt:
		return true, true
	case *ast.SelectStmt:
		return true, false
	case *ast.ExprStmt, *ast.AssignStmt, *ast.IncDecStmt, *ast.DeclStmt:
		if isPanic(s) {
			return in.relevant(s), false
		}
		return in.relevant(s), in.synchronises(s)
	case *ast.ReturnStmt, *ast.DeferStmt:
		return in.relevant(s), false
	case *ast.IfStmt:
		return in.relevant(s.Init, s.Cond) || s.Else != nil && in.elseIf(s.Else), false
	case *ast.ForStmt:
		return in.relevant(s.Init, s.Cond), false
	case *ast.RangeStmt:
		return in.relevant(s.X) || in.receives(s), false
	case *ast.SwitchStmt:
		return in.relevant(s.Init, s.Tag) || in.caseHeads(s.Body), false
	case *ast.TypeSwitchStmt:
		return in.relevant(s.Init, s.Assign), false
	}
	return false, false
}

func isPanic(s ast.Stmt) bool {
	e, ok := s.(*ast.ExprStmt)
	if !ok {
		return false
	}
	call, ok := ast.Unparen(e.X).(*ast.CallExpr)
	if !ok {
		return false
	}
	id, ok := ast.Unparen(call.Fun).(*ast.Ident)
	return ok && id.Name == "panic"
}

// elseIf checks the conditions of else branches, before which no statement can stand.
func (in *instrumenter) elseIf(s ast.Stmt) bool {
	i, ok := s.(*ast.IfStmt)
	return ok && (in.relevant(i.Init, i.Cond) || i.Else != nil && in.elseIf(i.Else))
}

func (in *instrumenter) caseHeads(body *ast.BlockStmt) bool {
	for _, c := range body.List {
		if c, ok := c.(*ast.CaseClause); ok && slices.ContainsFunc(c.List, func(e ast.Expr) bool { return in.relevant(e) }) {
			return true
		}
	}
	return false
}

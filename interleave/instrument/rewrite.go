package instrument

import (
	"go/ast"
	"go/token"
	"go/types"

	"mendel/analysis"
	"mendel/internal/rewrite"
	"mendel/internal/rewrite/operations"
)

// A rewriter puts hooks into one file.
type rewriter struct {
	*rewrite.File
	file     *analysis.File
	info     *types.Info
	name     string // of the import
	shared   func(*types.Var) bool
	result   *Result
	function string                 // declared around what is rewritten
	values   map[*ast.CallExpr]bool // whose functions stand as values in the rewritten text

	numbers     *Numbers
	declaration string         // that is rewritten: its text
	sites       int            // in it so far
	entered     map[string]int // how many declarations had a text so far
}

// rewrite returns the file with hooks; nil if it needs none.
func (r *rewriter) rewrite() []byte {
	r.values, r.entered = map[*ast.CallExpr]bool{}, map[string]int{}
	w := operations.Walker{Info: r.info, Package: r.file.Package.Types, Visit: r.visit}
	for _, d := range r.file.AST.Decls {
		r.enter(d)
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Body != nil && !analysis.Restricted(d.Doc) && !analysis.Excluded(d.Doc) {
				r.function = analysis.FuncName(d)
				w.Walk(d)
			}
		case *ast.GenDecl:
			if d.Tok == token.VAR {
				r.function = ""
				w.Walk(d)
			}
		}
	}
	if r.Len() == 0 {
		return nil
	}
	r.Import(r.name, rewrite.RecordPath)
	text := r.Apply()
	if rewrite.IsOld(r.info, r.file.AST) {
		text = []byte(rewrite.Raise(r.file, string(text)))
	}
	return text
}

// visit puts the hooks of an operation.
func (r *rewriter) visit(op operations.Operation) {
	switch op.Kind {
	case operations.Send:
		s := op.Node.(*ast.SendStmt)
		r.Around(s.Pos(), s.End(), r.call("To", r.site(s, "send", s.Chan)), ")")
		r.Put(s.Chan.End(), s.Arrow+2, ").V(")
	case operations.Receive:
		r.receive(op)
	case operations.Range:
		r.ranges(op.Node.(*ast.RangeStmt))
	case operations.Select:
		r.selects(op.Node.(*ast.SelectStmt))
	case operations.Close:
		r.Put(op.Call.Fun.Pos(), op.Call.Lparen+1, r.call("CloseOf", r.site(op.Node, "close", op.On)))
	case operations.Go:
		r.starts(op.Node.(*ast.GoStmt))
	case operations.Given:
		r.given(op)
	case operations.AtomicRead, operations.AtomicWrite:
		r.atomic(op)
	default:
		if op.Kind.IsAccess() {
			r.access(op)
		} else {
			r.method(op)
		}
	}
}

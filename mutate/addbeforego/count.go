package addbeforego

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"github.com/dave/dst"

	"mendel/mutate"
	"mendel/mutate/fact/starts"
	"mendel/mutate/internal/waitgroups"
)

// recount are the edits of a function that give an Add another number.
func recount(fn *mutate.Function) (edits []mutate.Edit) {
	calls := waitgroups.Calls(fn)
	for _, c := range calls {
		if c.Method != "Add" || !c.Alone() || c.Deferred() {
			continue
		}
		if number, ok := recounted(fn, calls, c); ok {
			e := edit(fn, count, c, c.At.Stmt, fn.ID(c.At.Stmt))
			e.Expr, e.Note = c.Text+".Add("+number+")", "as many as are started"
			edits = append(edits, e)
		}
	}
	return edits
}

// recounted is what an Add should count, if that is another number: of a number the
// goroutines that its list starts behind it, up to the next Add or Wait; of a sum
// with one more or less what it is added to, which a slip leaves behind.
func recounted(fn *mutate.Function, calls []waitgroups.Call, add waitgroups.Call) (number string, ok bool) {
	switch arg := ast.Unparen(add.Expr.Args[0]).(type) {
	case *ast.BasicLit:
		n := started(fn, calls, add)
		number = strconv.Itoa(n)
		return number, n > 0 && number != arg.Value
	case *ast.BinaryExpr:
		one, isOne := arg.Y.(*ast.BasicLit)
		if isOne && one.Value == "1" && (arg.Op == token.ADD || arg.Op == token.SUB) {
			return types.ExprString(arg.X), true
		}
	}
	return "", false
}

// started counts the go statements of an Add's list behind it, up to the next Add or
// Wait of the group. Those of loops and branches are not counted, since nobody knows
// how often they run: then it is 0.
func started(fn *mutate.Function, calls []waitgroups.Call, add waitgroups.Call) (n int) {
	for _, s := range add.At.List[add.At.Index+1:] {
		for _, c := range calls {
			if c.Group == add.Group && (c.Method == "Add" || c.Method == "Wait") && waitgroups.Contains(s, c.At.Stmt) {
				return n
			}
		}
		for _, g := range starts.Of(fn) {
			switch {
			case g.Go == nil || !waitgroups.Contains(s, g.Go):
			case g.Stmt != s:
				return 0
			default:
				n++
			}
		}
	}
	return n
}

// replace puts the number of an edit into an Add.
func replace(m *mutate.Mutation, e mutate.Edit, add dst.Stmt) error {
	stmt, ok := add.(*dst.ExprStmt)
	if !ok {
		return mutate.Refuse(e, "another edit changed the call of Add")
	}
	call, ok := stmt.X.(*dst.CallExpr)
	if !ok || len(call.Args) != 1 {
		return mutate.Refuse(e, "another edit changed the call of Add")
	}
	var now dst.Expr
	switch was := call.Args[0].(type) {
	case *dst.BinaryExpr:
		now = dst.Clone(was.X).(dst.Expr)
	default:
		_, number, _ := strings.Cut(strings.TrimSuffix(e.Expr, ")"), ".Add(")
		now = &dst.BasicLit{Kind: token.INT, Value: number}
	}
	return m.Replace(e.File, call.Args[0], now)
}

package blocking

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"mendel/analysis/syntax"
)

// ChannelOperation names what a node does that may wait for another goroutine;
// "" for nothing.
func ChannelOperation(info *types.Info, n ast.Node) string {
	switch n := n.(type) {
	case *ast.SendStmt:
		return "channel send"
	case *ast.UnaryExpr:
		if n.Op == token.ARROW {
			return "channel receive"
		}
	case *ast.RangeStmt:
		if t := info.TypeOf(n.X); t != nil {
			if _, channel := t.Underlying().(*types.Chan); channel {
				return "range over a channel"
			}
		}
	}
	return ""
}

// waitName names a function outside the module that may block; "" for others.
// It knows more of them than [syntax.MayWait], on which flags rest: a line of a log
// under a lock is worth telling, and no reason to prefer another fix.
func waitName(f *types.Func) string {
	if f.Pkg() == nil || !syntax.MayWait(f, 1) && !syntax.Prints(f) {
		return ""
	}
	name := f.Pkg().Name() + "."
	if r := syntax.Receiver(f); r != "" {
		name += r + "."
	}
	return name + f.Name()
}

// writesToMemory reports whether fmt.Fprint and the like print to a buffer.
func writesToMemory(info *types.Info, f *types.Func, call *ast.CallExpr) bool {
	if f.Pkg().Path() != "fmt" || !strings.HasPrefix(f.Name(), "F") || len(call.Args) == 0 {
		return false
	}
	switch t := info.TypeOf(call.Args[0]); t.String() {
	case "*strings.Builder", "*bytes.Buffer", "*strings.Reader", "*bytes.Reader":
		return true
	}
	return false
}

package blocking

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"mendel/analysis/syntax"
)

// MayWait reports whether a function of the standard library waits for another
// goroutine, for time to pass, or for input and output. sync.Cond.Wait gives
// up the one lock it belongs to; another that is held beside it stays held.
func MayWait(f *types.Func, held int) bool {
	if f == nil || f.Pkg() == nil {
		return false
	}
	switch f.Pkg().Path() {
	case "time":
		return f.Name() == "Sleep"
	case "sync":
		return f.Name() == "Wait" && (syntax.Receiver(f) == "WaitGroup" || held > 1)
	case "net", "net/http", "net/rpc", "os/exec", "database/sql":
		return true
	case "os":
		return syntax.Receiver(f) == "File"
	case "io":
		return syntax.Receiver(f) != "" || strings.HasPrefix(f.Name(), "Copy") || strings.HasPrefix(f.Name(), "Read")
	}
	return false
}

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
// It knows more of them than [MayWait], on which flags rest: a line of a log
// under a lock is worth telling, and no reason to prefer another fix.
func waitName(f *types.Func) string {
	if f.Pkg() == nil || !MayWait(f, 1) && !prints(f) {
		return ""
	}
	name := f.Pkg().Name() + "."
	if r := syntax.Receiver(f); r != "" {
		name += r + "."
	}
	return name + f.Name()
}

// prints reports whether a function reads or writes files, streams or a log.
func prints(f *types.Func) bool {
	name := f.Name()
	starts := func(prefixes ...string) bool {
		return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(name, p) })
	}
	switch f.Pkg().Path() {
	case "fmt":
		return starts("Print", "Fprint", "Scan", "Fscan")
	case "log":
		return starts("Print", "Fatal", "Panic", "Output")
	case "log/slog":
		return starts("Debug", "Info", "Warn", "Error", "Log") && (syntax.Receiver(f) == "" || syntax.Receiver(f) == "Logger")
	case "bufio":
		return syntax.Receiver(f) != "" && (starts("Read", "Write", "Peek", "Discard", "Scan") || name == "Flush")
	case "os":
		return syntax.Receiver(f) == "" && starts("Read", "Write", "Open", "Create", "Mkdir", "Remove", "Rename", "Stat", "Lstat", "Truncate", "Link", "Symlink", "Copy")
	case "golang.org/x/sync/errgroup":
		return name == "Wait"
	case "golang.org/x/sync/semaphore":
		return name == "Acquire"
	}
	return false
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

package syntax

import (
	"go/types"
	"slices"
	"strings"
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
		return f.Name() == "Wait" && (Receiver(f) == "WaitGroup" || held > 1)
	case "net", "net/http", "net/rpc", "os/exec", "database/sql":
		return true
	case "os":
		return Receiver(f) == "File"
	case "io":
		return Receiver(f) != "" || strings.HasPrefix(f.Name(), "Copy") || strings.HasPrefix(f.Name(), "Read")
	}
	return false
}

// Prints reports whether a function reads or writes files, streams or a log.
func Prints(f *types.Func) bool {
	if f == nil || f.Pkg() == nil {
		return false
	}
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
		return starts("Debug", "Info", "Warn", "Error", "Log") && (Receiver(f) == "" || Receiver(f) == "Logger")
	case "bufio":
		return Receiver(f) != "" && (starts("Read", "Write", "Peek", "Discard", "Scan") || name == "Flush")
	case "os":
		return Receiver(f) == "" && starts("Read", "Write", "Open", "Create", "Mkdir", "Remove", "Rename", "Stat", "Lstat", "Truncate", "Link", "Symlink", "Copy")
	case "golang.org/x/sync/errgroup":
		return name == "Wait"
	case "golang.org/x/sync/semaphore":
		return name == "Acquire"
	}
	return false
}

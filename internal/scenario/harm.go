package scenario

import (
	"go/types"
	"slices"
	"strings"
)

// harmless are packages that tell a process about its machine, by the functions that change nothing there.
var harmless = map[string][]string{
	"os": {"Getenv", "LookupEnv", "Environ", "Getpid", "Getppid", "Hostname", "Getwd", "Stat", "Lstat", "IsNotExist", "IsExist", "Open", "ReadFile", "ReadDir", "TempDir", "Executable", "ExpandEnv", "Expand"},
}

// outside are packages by which a program does something to what is not its own.
var outside = []string{"os", "os/exec", "os/signal", "syscall", "net", "net/http", "net/smtp", "net/rpc", "plugin", "log/syslog"}

// quiet are names in these packages that are of values, not of the machine: an error, a header, a handler.
var quiet = []string{"Error", "Header", "Status", "Handle", "ServeHTTP", "Write", "WriteHeader", "String", "NewRequest", "NewServeMux", "Is", "Parse", "Split", "Join", "Contains", "Set", "Get", "Add", "Del", "Values", "Context", "WithContext", "Unwrap", "Canonical"}

// harms says whether a call of a function with made arguments may do something to the machine or to
// others: remove a file, start a command, connect. A scenario does not call it.
func (m *maker) harms(fn *types.Func) bool {
	for f := range m.reach(fn).functions {
		b := m.bodies[f]
		if b == nil {
			continue
		}
		if slices.ContainsFunc(b.functions, changesOutside) {
			return true
		}
	}
	return false
}

// changesOutside says whether a function of another module may change what is not the program's.
func changesOutside(fn *types.Func) bool {
	if fn.Pkg() == nil || !slices.Contains(outside, fn.Pkg().Path()) || slices.Contains(harmless[fn.Pkg().Path()], fn.Name()) {
		return false
	}
	if fn.Signature().Recv() != nil || strings.HasPrefix(fn.Pkg().Path(), "net/http") || fn.Pkg().Path() == "net" {
		return !slices.ContainsFunc(quiet, func(name string) bool { return strings.HasPrefix(fn.Name(), name) })
	}
	return true
}

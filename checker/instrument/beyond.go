package instrument

import (
	"go/types"
	"slices"
	"strings"
)

// beyond are functions whose effects an execution does not control, with those
// effects. A name that ends in an asterisk stands for all that begin so.
var beyond = []struct {
	does  string
	names []string
}{
	{"runs a process", []string{
		"(*os/exec.Cmd).Run", "(*os/exec.Cmd).Start", "(*os/exec.Cmd).Wait", "(*os/exec.Cmd).Output", "(*os/exec.Cmd).CombinedOutput",
		"os.StartProcess", "(*os.Process).Wait", "syscall.ForkExec", "syscall.StartProcess", "syscall.Exec",
	}},
	{"waits for the network", []string{
		"net.Dial", "net.DialTimeout", "net.DialTCP", "net.DialUnix", "(*net.Dialer).Dial*",
		"net.Listen", "net.ListenTCP", "net.ListenUnix", "(*net.ListenConfig).Listen", "(*net.UDPConn).Read*", "(net.PacketConn).ReadFrom", "net.Lookup*", "(*net.Resolver).Lookup*",
		"crypto/tls.Dial*", "crypto/tls.Listen*",
		"net/http.Get", "net/http.Head", "net/http.Post*", "(*net/http.Client).*", "(net/http.RoundTripper).RoundTrip", "(*net/http.Transport).RoundTrip", "(*net/http.Transport).NewClientConn", "(*net/http.ClientConn).RoundTrip",
		"net/http.ListenAndServe*", "net/http.Serve", "net/http.ServeTLS", "(*net/http.Server).ListenAndServe*", "(*net/http.Server).Serve*", "(*net/http.Server).Shutdown",
		"net/http/httptest.NewServer", "net/http/httptest.NewTLSServer", "(*net/http/httptest.Server).Start*",
		"net/rpc.Dial*", "net/smtp.Dial", "net/smtp.SendMail",
	}},
	{"blocks outside control", []string{"io.Pipe", "database/sql.Open*", "syscall.Read", "syscall.Wait4", "syscall.Select", "syscall.Flock"}},
	{"waits for signals", []string{"os/signal.Notify*"}},
	{"sends a signal", []string{"syscall.Kill", "(*os.Process).Signal", "(*os.Process).Kill"}},
	{"runs functions in goroutines outside control", []string{
		"runtime.AddCleanup", "testing.Benchmark", "(*testing.B).RunParallel",
		"(*net/rpc.Server).Serve*", "(*net/rpc.Client).Go",
	}},
	{"looks at the process's goroutines", []string{"go.uber.org/goleak.*"}},
}

// beyondControl is the effect of a function that an execution does not control; ""
// when none is known.
func beyondControl(fn *types.Func) string {
	if fn.Pkg() == nil {
		return ""
	}
	for _, b := range beyond {
		if oneOf(fn, b.names) {
			return fn.Origin().FullName() + " " + b.does
		}
	}
	return ""
}

// oneOf reports whether a function is one of a list in which a name that ends in
// an asterisk stands for all that begin so.
func oneOf(fn *types.Func, names []string) bool {
	name := fn.Origin().FullName()
	return slices.ContainsFunc(names, func(pattern string) bool {
		prefix, ok := strings.CutSuffix(pattern, "*")
		return name == pattern || ok && strings.HasPrefix(name, prefix)
	})
}

// starters are names of functions that run others in goroutines.
var starters = []string{"Go", "TryGo", "Async", "Spawn", "Submit", "Schedule", "Start", "Every", "AfterFunc", "Do", "ForEach", "Map"}

// startsGoroutines reports whether a function of a dependency, to judge by its
// name, runs functions that it is given in goroutines of its own. Such a
// function of the standard library is among those [beyondControl].
func startsGoroutines(fn *types.Func) bool {
	if isStandard(fn.Pkg().Path()) {
		return false
	}
	sure := strings.HasPrefix(fn.Pkg().Path(), "golang.org/x/sync/") || strings.HasPrefix(fn.Pkg().Path(), "github.com/sourcegraph/conc")
	named := slices.ContainsFunc(starters, func(s string) bool {
		rest, ok := strings.CutPrefix(fn.Name(), s)
		if !ok || rest != "" && rest[0] >= 'a' && rest[0] <= 'z' {
			return false
		}
		return sure || s != "Do" && s != "ForEach" && s != "Map"
	})
	return named && slices.ContainsFunc(slices.Collect(fn.Origin().Signature().Params().Variables()), takesFunction)
}

func takesFunction(v *types.Var) bool {
	t := v.Type()
	if s, ok := t.Underlying().(*types.Slice); ok {
		t = s.Elem() // variadic
	}
	_, ok := t.Underlying().(*types.Signature)
	return ok
}

// isStandard reports whether an import path is one of the standard library: the
// go command reserves paths whose first element has no dot for it.
func isStandard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".")
}

// givesMain reports whether a function takes a *testing.M.
func givesMain(fn *types.Func) bool {
	return slices.ContainsFunc(slices.Collect(fn.Signature().Params().Variables()), func(v *types.Var) bool { return isMain(v.Type()) })
}

// isMain reports whether a type is *testing.M.
func isMain(t types.Type) bool {
	elem, ok := pointer(t)
	if !ok {
		return false
	}
	named, ok := types.Unalias(elem).(*types.Named)
	return ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "testing" && named.Obj().Name() == "M"
}

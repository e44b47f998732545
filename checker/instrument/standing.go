package instrument

import (
	"fmt"
	"go/ast"
	"go/types"
	"path/filepath"
	"strconv"
	"strings"
)

// standing are methods of the standard library that the runtime replaces, by the
// package of the receiver's type and by name: with the function that makes what
// stands for the receiver. Some give or take a moment of the real clock, or work
// on channels, or tell the names of shims.
var standing = map[[2]string]string{
	{"io/fs", "ModTime"}: "OfFile",

	{"net", "SetDeadline"}:             "OfConn",
	{"net", "SetReadDeadline"}:         "OfConn",
	{"net", "SetWriteDeadline"}:        "OfConn",
	{"os", "SetDeadline"}:              "OfConn",
	{"os", "SetReadDeadline"}:          "OfConn",
	{"os", "SetWriteDeadline"}:         "OfConn",
	{"crypto/tls", "SetDeadline"}:      "OfConn",
	{"crypto/tls", "SetReadDeadline"}:  "OfConn",
	{"crypto/tls", "SetWriteDeadline"}: "OfConn",

	{"reflect", "Send"}:    "OfValue",
	{"reflect", "TrySend"}: "OfValue",
	{"reflect", "Recv"}:    "OfValue",
	{"reflect", "TryRecv"}: "OfValue",
	{"reflect", "Close"}:   "OfValue",
	{"reflect", "Len"}:     "OfValue",
	{"reflect", "Cap"}:     "OfValue",
	{"reflect", "PkgPath"}: "OfType",

	{"runtime/pprof", "Count"}:   "OfProfile",
	{"runtime/pprof", "WriteTo"}: "OfProfile",

	// Of other packages of the runtime, with what the call does if it leaves control.
	{"net/http", "Do"}:        "http.OfClient",
	{"net/http", "Get"}:       "http.OfClient",
	{"net/http", "Head"}:      "http.OfClient",
	{"net/http", "Post"}:      "http.OfClient",
	{"net/http", "PostForm"}:  "http.OfClient",
	{"net/http", "RoundTrip"}: "http.OfRoundTripper",
	{"os", "Signal"}:          "signal.OfProcess",

	{"net/http/httptest", "Certificate"}:            "httptest.OfServer",
	{"net/http/httptest", "Client"}:                 "httptest.OfServer",
	{"net/http/httptest", "Close"}:                  "httptest.OfServer",
	{"net/http/httptest", "CloseClientConnections"}: "httptest.OfServer",
	{"net/http/httptest", "Start"}:                  "httptest.OfServer",
	{"net/http/httptest", "StartTLS"}:               "httptest.OfServer",
}

// ofShim is the function of a shim that stands for the receiver of a method; "" if there
// is none.
func ofShim(s *types.Selection) string {
	if s == nil || s.Kind() != types.MethodVal || len(s.Index()) != 1 {
		return ""
	}
	of := standing[[2]string{receiverPackage(s.Recv()), s.Obj().Name()}]
	_, isPointer := pointer(s.Recv())
	switch t := namedOf(s.Recv()); {
	case !strings.Contains(of, "."), t == nil:
		return ""
	case strings.HasSuffix(of, ".Of"+t.Obj().Name()) && (isPointer || types.IsInterface(t)):
		return of
	}
	return ""
}

// inPlace is what stands for a method of standing; "" for any other.
//
//	fi.ModTime        sched.OfFile(fi).ModTime
//	c.SetDeadline     sched.OfConn(c).SetDeadline
func (r *rewriter) inPlace(e *ast.SelectorExpr, s *types.Selection) string {
	of := standing[[2]string{receiverPackage(s.Recv()), e.Sel.Name}]
	_, isPointer := pointer(s.Recv())
	if r.network && inMemory(receiverPackage(s.Recv())) {
		return ""
	}
	if strings.Contains(of, ".") {
		return r.inShim(e, s)
	}
	switch _, isField := s.Obj().(*types.Var); {
	case of == "", isField, (of == "OfValue") == (isPointer || types.IsInterface(s.Recv())):
		return ""
	case of == "OfType" && !types.IsInterface(s.Recv()):
		return ""
	case of == "OfFile":
		r.kept = append(r.kept, r.rt+".AsksFiles()")
	}
	return r.splice(e.Pos(), e.End(), part{e.X.Pos(), e.X.End(), r.call(of, r.value(e.X))})
}

// inShim is what stands for a method of which a shim has another one.
//
//	c.Get             http.OfClient(c, "x.go:1: ... waits for the network").Get
func (r *rewriter) inShim(e *ast.SelectorExpr, s *types.Selection) string {
	of := ofShim(s)
	fn, ok := s.Obj().(*types.Func)
	if of == "" || !ok {
		return ""
	}
	p := r.fset.PositionFor(e.Pos(), true)
	what := strconv.Quote(fmt.Sprintf("%s:%d: %s", filepath.Base(p.Filename), p.Line, beyondControl(fn)))
	return r.splice(e.Pos(), e.End(), part{e.X.Pos(), e.X.End(), r.shimmed(of) + "(" + r.value(e.X) + ", " + what + ")"})
}

// receiverPackage is the package of a named type, or of one that is pointed to.
func receiverPackage(t types.Type) string {
	if elem, ok := pointer(t); ok {
		t = elem
	}
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return ""
	}
	return named.Obj().Pkg().Path()
}

package instrument

import (
	"go/ast"
	"go/types"
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
}

// inPlace is what stands for a method of standing; "" for any other.
//
//	fi.ModTime        sched.OfFile(fi).ModTime
//	c.SetDeadline     sched.OfConn(c).SetDeadline
func (r *rewriter) inPlace(e *ast.SelectorExpr, s *types.Selection) string {
	of := standing[[2]string{receiverPackage(s.Recv()), e.Sel.Name}]
	_, isPointer := pointer(s.Recv())
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

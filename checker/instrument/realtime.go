package instrument

import (
	"go/ast"
	"go/types"
)

// realTimes are methods of the standard library that give or take a moment of the
// real clock, with the function of the runtime that makes what stands for the
// receiver.
var realTimes = map[string]string{
	"ModTime":          "OfFile",
	"SetDeadline":      "OfConn",
	"SetReadDeadline":  "OfConn",
	"SetWriteDeadline": "OfConn",
}

// realTime is what stands for a method of realTimes; "" for any other.
//
//	fi.ModTime        sched.OfFile(fi).ModTime
//	c.SetDeadline     sched.OfConn(c).SetDeadline
func (r *rewriter) realTime(e *ast.SelectorExpr, s *types.Selection) string {
	of := realTimes[e.Sel.Name]
	if of == "" || !isClocked(s.Recv()) {
		return ""
	}
	if of == "OfFile" {
		r.kept = append(r.kept, r.rt+".AsksFiles()")
	}
	return r.splice(e.Pos(), e.End(), part{e.X.Pos(), e.X.End(), r.call(of, r.value(e.X))})
}

// isClocked reports whether a type is an interface or a pointer of the packages
// whose times are real: those of files and of connections.
func isClocked(t types.Type) bool {
	elem, isPointer := pointer(t)
	if isPointer {
		t = elem
	} else if !types.IsInterface(t) {
		return false
	}
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return false
	}
	switch named.Obj().Pkg().Path() {
	case "net", "os", "io/fs", "crypto/tls":
		return true
	}
	return false
}

package instrument

import (
	"go/ast"

	"mendel/analysis/patience"
)

// guardNames are the constants of the engine for what a test's patience leads to.
var guardNames = map[patience.Guard]string{patience.Gives: "Gives", patience.Fails: "Fails"}

// guard is a call that sets a time-out which is nothing but a test's patience; "" for any
// other.
//
//	time.After(d)              sched.Guard1(sched.Fails, time.After, d)
//	time.AfterFunc(d, f)       sched.Guard2(sched.Fails, time.AfterFunc, d, f)
//	context.WithTimeout(c, d)  sched.GuardContext(sched.Fails, context.WithTimeout, c, d)
//	time.Sleep(d)              sched.GuardSleep(sched.Gives, time.Sleep, d)
func (r *rewriter) guard(e *ast.CallExpr) string {
	name := guardNames[r.facts.guards[e]]
	fn := callee(r.info, e)
	if name == "" || fn == nil || e.Ellipsis.IsValid() || len(e.Args) == 0 {
		return ""
	}
	helper := ""
	switch results := fn.Signature().Results().Len(); {
	case results == 0 && len(e.Args) == 1:
		helper = "GuardSleep"
	case results == 1 && len(e.Args) == 1:
		helper = "Guard1"
	case results == 1 && len(e.Args) == 2:
		helper = "Guard2"
	case results == 2 && len(e.Args) == 2:
		helper = "GuardContext"
	case results == 2 && len(e.Args) == 3:
		helper = "GuardCause"
	default:
		return ""
	}
	r.used = true
	fun := part{e.Fun.Pos(), e.Lparen + 1, r.rt + "." + helper + "(" + r.rt + "." + name + ", " + r.value(e.Fun) + ", "}
	return r.splice(e.Pos(), e.End(), append([]part{fun}, r.listParts(e.Args)...)...)
}

package gocall

import (
	_ "embed"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/dave/dst"

	"mendel/analysis/evidence"
	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/effects"
	"mendel/mutate/fact/held"
)

//go:embed doc.go
var doc string

// Operator makes a call in a goroutine of its own.
var Operator = &mutate.Operator{
	Name: "gocall",
	Doc:  doc,
	Prior: map[evidence.Kind]float64{
		evidence.Deadlock: 2, evidence.Blocked: 2, evidence.Timeout: 2,
		evidence.Race: 0.1, evidence.Panic: 0.2, evidence.TestFailure: 0.2,
	},
	Faults: []evidence.Fault{evidence.SelfDeadlock},
	Needs:  "call that waits for the goroutine that makes it",
	Edits:  edits,
	Apply:  apply,
}

// What is left of the belief in an edit; chosen, not measured.
const (
	perStep    = 0.8 // for each call further from the wait
	everyTurn  = 0.5 // where each turn of a loop would start a goroutine
	unwaited   = 0.3 // where no failure shows that somebody waits
	relockings = 0.4 // where the call takes a lock again, which other edits mend better
)

func edits(fn *mutate.Function) []mutate.Edit {
	var out []mutate.Edit
	known := make(map[ast.Stmt]bool)
	for _, s := range selfWaits(fn)[fn] {
		if known[s.site.At.Stmt] || s.work(fn) || len(fn.HeldAt(s.site.At.Stmt)) > 0 { // the callee may count on the lock
			continue
		}
		if call, ok := detachable(fn, s.site.At); ok && call == s.site.Expr {
			known[s.site.At.Stmt] = true
			out = append(out, s.edit(fn))
		}
	}
	for _, s := range fn.Sections() {
		for _, at := range fn.Statements() {
			if known[at.Stmt] || !relocks(fn, s, at) {
				continue
			}
			if call, ok := detachable(fn, at); ok && (indirect(fn, call) || held.Relocks(fn, call)) {
				known[at.Stmt] = true
				e := edit(fn, at, effects.WaitNote(fn, s, at.Stmt))
				e.Doubt(relockings)
				out = append(out, e)
			}
		}
	}
	return out
}

// relocks reports whether a statement of a section may take the section's lock again. It
// may be one that counts on the lock and gives it up for a while.
func relocks(fn *mutate.Function, s *mutate.Section, at mutate.Statement) bool {
	_, call := at.Stmt.(*ast.ExprStmt)
	return call && !s.Again && s.Covers(at.Stmt) && effects.Of(fn, s, at.Stmt).Relocks
}

// indirect reports whether what a call runs is known only when the program does, such as
// a callback.
func indirect(fn *mutate.Function, call *ast.CallExpr) bool {
	f := syntax.Callee(fn.File.Package.Info, call.Fun)
	return f == nil || syntax.InterfaceMethod(f)
}

// edit starts the call that a statement is. Nobody waits for it then.
func edit(fn *mutate.Function, at mutate.Statement, note string) mutate.Edit {
	e := fn.NewEdit("gocall", at.Stmt, at.Stmt)
	e.Note, e.Flags = note, []mutate.Flag{mutate.Detached}
	if fn.Loops(at.Stmt) && !leaves(at) {
		e.Doubt(everyTurn)
	}
	return e
}

// leaves reports whether a statement's list goes on to leave the loop or function.
func leaves(at mutate.Statement) bool {
	switch last := at.List[len(at.List)-1].(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.BranchStmt:
		return last.Tok == token.BREAK || last.Tok == token.GOTO
	}
	return false
}

// work reports whether the call is what the goroutine that is waited for is there
// for: its function makes it whatever happens, and the wait is further down.
func (s selfWait) work(fn *mutate.Function) bool {
	return s.by == fn && s.steps > 0 && slices.Contains(fn.Body.List, s.site.At.Stmt)
}

func (s selfWait) edit(fn *mutate.Function) mutate.Edit {
	e := edit(fn, s.site.At, s.note(fn))
	for range s.steps {
		e.Doubt(perStep)
	}
	if heat, waits := s.wait.fn.Narrowing.HeatAt(s.wait.at.Pos()); waits != "" {
		e.Heat = max(e.Heat, heat)
	} else {
		e.Doubt(unwaited)
	}
	return e
}

// note says who would wait for itself.
func (s selfWait) note(fn *mutate.Function) string {
	name := types.ExprString(s.site.Expr.Fun)
	by, declared := s.by.Node.(*ast.FuncDecl)
	if s.by == fn || !declared {
		return name + " would wait for its own goroutine"
	}
	return name + " waits for " + by.Name.Name + ", which may be what calls it"
}

func apply(m *mutate.Mutation, e mutate.Edit) error {
	stmt, ok := m.Node(e.File, e.Node).(*dst.ExprStmt)
	if !ok {
		return mutate.Refuse(e, "another edit changed the call")
	}
	call, ok := stmt.X.(*dst.CallExpr)
	if !ok {
		return mutate.Refuse(e, "another edit changed the call")
	}
	start := &dst.GoStmt{Call: call}
	start.Decs.Start.Append("// " + e.Note)
	return m.Replace(e.File, stmt, start)
}

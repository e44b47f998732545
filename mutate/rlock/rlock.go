package rlock

import (
	_ "embed"
	"go/ast"
	"slices"
	"strings"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/effects"
	"mendel/mutate/fact/held"
	"mendel/mutate/internal/sectionedit"
)

//go:embed doc.go
var doc string

// Operator makes a section of an RWMutex one of its other side.
var Operator = &mutate.Operator{
	Name: "rlock",
	Doc:  doc,
	Prior: map[evidence.Kind]float64{
		evidence.Race: 4, evidence.Panic: 3, evidence.TestFailure: 2, evidence.Deadlock: 0.5, evidence.Blocked: 0.5,
	},
	Faults: []evidence.Fault{evidence.ReadLockForWrite},
	Needs:  "section of an RWMutex whose other side could be taken",
	Edits:  edits,
	Apply:  apply,
}

// Forms of the operator's edits.
const (
	formWrite   = "write"
	formRead    = "read"
	formUpgrade = "upgrade"
)

func edits(fn *mutate.Function) []mutate.Edit {
	var out []mutate.Edit
	for _, s := range fn.Sections() {
		switch {
		case !s.Lock.RW || s.Again || len(s.Body) == 0 || held.ByCaller(fn, s.Lock.Key):
		case s.Read && writable(fn, s):
			out = append(out, write(fn, s))
		case s.Read && len(upgrades(fn, s)) > 0:
			out = append(out, upgrade(fn, s))
		case !s.Read && readable(fn, s):
			out = append(out, read(fn, s))
		}
	}
	return out
}

// changes is the Expr of write edits of sections that certainly write.
const changes = "Lock"

// writable reports whether the write side can be taken and may matter.
func writable(fn *mutate.Function, s *mutate.Section) bool {
	effects := effects.Of(fn, s, s.Body...)
	if effects.Relocks || effects.Waits {
		return false
	}
	return writes(fn, s) || called(fn, s) != ""
}

func writes(fn *mutate.Function, s *mutate.Section) bool {
	return slices.ContainsFunc(fn.Accesses(s.Body...), func(a analysis.Access) bool { return a.Write })
}

// called is the first function of the program that the section calls; "" if there is none.
func called(fn *mutate.Function, s *mutate.Section) string {
	for _, stmt := range s.Body {
		if name := effects.Called(fn, stmt); name != "" {
			return name
		}
	}
	return ""
}

// changer is the first function that the section calls which changes a field beside the
// lock without another lock of its own, itself or in what it calls; "" if there is none.
func changer(fn *mutate.Function, s *mutate.Section) string {
	of, _ := syntax.CutLast(s.Lock.Key)
	_, owner := syntax.CutLast(of)
	for _, stmt := range s.Body {
		for _, c := range fn.Calls(stmt) {
			if changesBeside(c.To, owner, map[*mutate.Function]bool{fn: true}) {
				return effects.Called(fn, stmt)
			}
		}
	}
	return ""
}

// changesBeside reports whether a function changes a field of a type, under no lock that it
// takes itself.
func changesBeside(fn *mutate.Function, owner string, seen map[*mutate.Function]bool) bool {
	if seen[fn] {
		return false
	}
	seen[fn] = true
	held := func(n ast.Node) bool {
		at := mutate.Innermost(fn.Statements(), n).Stmt
		return at != nil && len(fn.HeldAt(at)) > 0
	}
	for _, a := range fn.Accesses(fn.Body.List...) {
		if a.Write && strings.HasPrefix(fn.VarName(a.Var), owner+".") && !held(a.Expr) {
			return true
		}
	}
	return slices.ContainsFunc(fn.Calls(fn.Body.List...), func(c mutate.Call) bool {
		return !held(c.Expr) && changesBeside(c.To, owner, seen)
	})
}

func write(fn *mutate.Function, s *mutate.Section) mutate.Edit {
	e := fn.NewEdit("rlock", s.Acquire, s.Body...)
	e.Lock, e.Form = &s.Lock, formWrite
	if writes(fn, s) {
		e.Expr, e.Group = changes, s.Lock.Key
		e.Note = effects.Subject(fn, "is", s.Body...) + " here: the read lock is not enough"
	} else if name := changer(fn, s); name != "" {
		e.Expr, e.Group = changes, s.Lock.Key
		e.Note = name + " changes what " + s.Lock.Expr + " guards: the read lock is not enough"
	} else {
		e.Note = called(fn, s) + " may change what " + s.Lock.Expr + " guards"
	}
	e.Sure = e.Group != ""
	if waits(fn, s) != "" { // somebody waits here: to take more does not help
		e.Doubt(0.3)
	}
	return e
}

// waits is what a failure says a goroutine waits for at the acquisition.
func waits(fn *mutate.Function, s *mutate.Section) string {
	line := fn.Program.Fset.PositionFor(s.Acquire.Pos(), false).Line
	return fn.Narrowing.Waits(fn.File.Name, line)
}

// readable reports whether a section of the write side only reads, and whether
// it is of use that others may read meanwhile.
func readable(fn *mutate.Function, s *mutate.Section) bool {
	effects := effects.Of(fn, s, s.Body...)
	if effects.Relocks || effects.Waits || writes(fn, s) || called(fn, s) != "" {
		return false
	}
	if !effects.Blocks && !effects.Nests && waits(fn, s) == "" {
		return false
	}
	return !slices.ContainsFunc(s.Body, func(stmt ast.Stmt) bool { return mayChange(fn, stmt) })
}

func read(fn *mutate.Function, s *mutate.Section) mutate.Edit {
	e := fn.NewEdit("rlock", s.Acquire, s.Body...)
	e.Lock, e.Form, e.Expr, e.Read = &s.Lock, formRead, "RLock", true
	e.Note = "nothing is changed under " + s.Lock.Expr + " here"
	return e
}

func apply(m *mutate.Mutation, e mutate.Edit) error {
	s, err := sectionedit.Of(m, e)
	if err != nil {
		return err
	}
	switch e.Form {
	case formWrite:
		err = s.Writes()
	case formUpgrade:
		err = applyUpgrade(m, e, s)
	default:
		err = s.Reads()
	}
	if err != nil {
		return err
	}
	return s.Explain(s.Acquire, e.Note)
}

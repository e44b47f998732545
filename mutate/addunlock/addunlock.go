package addunlock

import (
	_ "embed"
	"go/ast"

	"mendel/analysis/evidence"
	"mendel/mutate"
)

//go:embed doc.go
var doc string

// Operator releases a lock where a path leaves it taken.
var Operator = &mutate.Operator{
	Name: "addunlock",
	Doc:  doc,
	Prior: map[evidence.Kind]float64{
		evidence.Deadlock: 5, evidence.Blocked: 5, evidence.Timeout: 4, evidence.Panic: 2, evidence.Race: 0.5,
	},
	Faults:   []evidence.Fault{evidence.LockNotReleased, evidence.SelfDeadlock},
	Needs:    "lock that is taken and, on some path, still held where the function or an iteration ends",
	Edits:    edits,
	Apply:    apply,
	Together: together,
}

// Forms of the operator's edits; doc.go explains them.
const (
	formPath     = "path"
	formEnd      = "end"
	formDefer    = "defer"
	formMeant    = "meant"
	formSide     = "side"
	formInstance = "instance"
	formLoop     = "loop"
	formTurn     = "turn"
	formHanded   = "handed"
	formPair     = "pair"
	formHelper   = "helper"

	formSlot      = "slot"
	formSlotPath  = "slotpath"
	formSlotStart = "slotstart"
)

func edits(fn *mutate.Function) []mutate.Edit {
	out := append(slotEdits(fn), pairEdits(fn)...)
	out = append(out, helperEdits(fn)...)
	balances := Balances(fn)
	for _, b := range balances {
		if len(b.Faults()) == 0 {
			fn.Decline(b.Calls[0].Stmt, "%s is taken and released alike on all paths", b.Lock.Expr)
			continue
		}
		if !b.Unmatched() || b.Calls[0].Acquires() && !unpairedOf(fn).unlocked[b.Lock.Key] {
			out = append(out, exitEdits(fn, b)...)
			out = append(out, deferEdits(fn, b)...)
		} else {
			fn.Decline(b.Calls[0].Stmt, "%s may be left as it is on purpose: other functions take or release it alone", b.Lock.Expr)
		}
		out = append(out, callEdits(fn, b)...)
		out = append(out, loopEdits(fn, b)...)
		out = append(out, iterationEdits(fn, b)...)
		out = append(out, instanceEdits(fn, b, balances)...)
	}
	return out
}

// newEdit starts an edit of a lock's calls. It is as near to the evidence as the
// hottest call of the function, and as the goroutines that wait for the lock.
func newEdit(fn *mutate.Function, b *Balance, form string, at ast.Stmt, puts string) mutate.Edit {
	e := fn.NewEdit("addunlock", at, at)
	e.Lock, e.Form, e.Expr = &b.Lock, form, puts
	for _, c := range b.Calls {
		e.Heat = max(e.Heat, fn.NewEdit("addunlock", c.Stmt).Heat)
	}
	e.Heat = max(e.Heat, fn.WaitHeat(b.Lock.Key))
	if (form == formPath || form == formEnd || form == formDefer) && len(b.given) == 0 && unpairedOf(fn).unlocked[b.Lock.Key] {
		e.Doubt(0.3) // it may be left locked on purpose
	}
	e.Vars = nil
	return e
}

// together lists, for each lock that more than one exit leaves held, the edit of
// all of them: in one function, and in all of the program. Where helpers take the lock for all of these functions, there is
// one that defers its release in each.
func together(w *mutate.Whole) []mutate.Edit {
	var out []mutate.Edit
	var keys []string // in the order of the source
	functions := make(map[string]int)
	parts, deferring := make(map[string][]mutate.Edit), make(map[string][]mutate.Edit)
	add := func(key string, added ...mutate.Edit) {
		if functions[key]++; functions[key] == 1 {
			keys = append(keys, key)
		}
		parts[key] = append(parts[key], added...)
	}
	for _, fn := range w.Functions {
		for _, e := range pairEdits(fn) {
			add(e.Lock.Key, e)
		}
		for _, b := range Balances(fn) {
			if b.Unmatched() && unpairedOf(fn).unlocked[b.Lock.Key] {
				continue
			}
			exits, ok := missing(b)
			if !ok {
				continue
			}
			added := releases(fn, b, exits)
			if len(added) > 1 {
				out = append(out, mutate.Composite("addunlock", added...))
			}
			add(b.Lock.Key, added...)
			if len(b.given) > 0 {
				deferring[b.Lock.Key] = append(deferring[b.Lock.Key], handedEdits(fn, b)...)
			}
		}
	}
	for _, key := range keys {
		if functions[key] > 1 {
			out = append(out, mutate.Composite("addunlock", parts[key]...))
			if len(deferring[key]) == functions[key] {
				out = append(out, mutate.Composite("addunlock", deferring[key]...))
			}
		}
	}
	return out
}

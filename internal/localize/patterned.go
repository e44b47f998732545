package localize

import (
	"fmt"
	"go/types"
	"strings"

	"mendel/analysis/evidence"
	"mendel/checker"
)

// most is how many patterns of a failure become suspects. Guessed.
const most = 12

// patterned are suspects by what happens in failing executions only.
func (x *examiner) patterned(f *checker.Failure, own *execution, all []*execution) []suspect {
	executions := all
	if !anyFails(f, all) {
		executions = append([]*execution{own}, all...)
	}
	var list []suspect
	for i, s := range suspicions(f, executions) {
		if i == most {
			break
		}
		list = append(list, x.ofPattern(s)...)
	}
	return list
}

func anyFails(f *checker.Failure, all []*execution) bool {
	for _, x := range all {
		if x.fails(f) {
			return true
		}
	}
	return false
}

// ofPattern are the places of a pattern, the first to be looked at first.
func (x *examiner) ofPattern(s suspicion) []suspect {
	base := suspect{score: s.score * anyPattern, failed: s.failed, passing: s.passing}
	switch s.shape {
	case between, sections:
		return x.ofBetween(s, base)
	case synchron:
		return x.ofSynchron(s, base)
	}
	name, v := x.src.variable(s.a, s.b)
	base.field = v != nil && v.IsField()
	if name == "" {
		name = "the same variable"
	}
	base.variable, base.fault = name, evidence.OrderViolation
	if x.src.callback(s.a) != x.src.callback(s.b) {
		base.fault = evidence.CheckThenAct // a timer that has fired acts on what may be another one's by now
	}
	first, second := base, base
	first.at, first.does, first.partner, first.partnerDoes = s.a, word(s.ops[0]), s.b, word(s.ops[1])
	second.at, second.does, second.partner, second.partnerDoes = s.b, word(s.ops[1]), s.a, word(s.ops[0])
	first.says = fmt.Sprintf("%ss %s just before another goroutine does at %s, %s", first.does, name, x.src.rel(s.b), s.seen())
	second.says = fmt.Sprintf("%ss %s just after another goroutine did at %s, %s", second.does, name, x.src.rel(s.a), s.seen())
	second.score *= secondOfTwo
	if first.does == "read" {
		first.score, second.score = second.score, first.score
	}
	return []suspect{first, second}
}

func word(letter byte) string {
	if letter == 'W' {
		return "write"
	}
	return "read"
}

// ofBetween are the three places of an interrupted sequence: it should be one step.
func (x *examiner) ofBetween(s suspicion, base suspect) []suspect {
	var name string
	if s.shape == sections {
		name = x.src.lock(s.a)
		base.fault = evidence.AtomicityViolation
	} else {
		var v *types.Var
		name, v = x.src.variable(s.a, s.c)
		base.field = v != nil && v.IsField()
		base.fault = x.betweenName(s)
	}
	if name == "" {
		name = "the same variable"
	}
	base.variable = name
	first, last, intruder := base, base, base
	first.at, last.at, intruder.at = s.a, s.c, s.b
	first.partner, last.partner, intruder.partner = s.b, s.b, s.a
	if s.shape == sections {
		first.does, last.does, intruder.does = "lock", "lock", "lock"
		first.says = fmt.Sprintf("the section of %s that begins here and the one at %s belong together, but the one at %s comes between them (%s)", name, x.src.rel(s.c), x.src.rel(s.b), s.seen())
		last.says = fmt.Sprintf("the section of %s that begins here belongs to the one at %s, but the one at %s comes between them (%s)", name, x.src.rel(s.a), x.src.rel(s.b), s.seen())
		intruder.says = fmt.Sprintf("this section of %s comes between those at %s and %s (%s)", name, x.src.rel(s.a), x.src.rel(s.c), s.seen())
	} else {
		first.does, last.does, intruder.does = word(s.ops[0]), word(s.ops[2]), word(s.ops[1])
		first.says = fmt.Sprintf("%ss %s, and before the %s at %s another goroutine %ss it at %s (%s)", first.does, name, last.does, x.src.rel(s.c), intruder.does, x.src.rel(s.b), s.seen())
		last.says = fmt.Sprintf("%ss %s after the %s at %s, and another goroutine %ss it in between at %s (%s)", last.does, name, first.does, x.src.rel(s.a), intruder.does, x.src.rel(s.b), s.seen())
		intruder.says = fmt.Sprintf("%ss %s between the %s at %s and the %s at %s (%s)", intruder.does, name, first.does, x.src.rel(s.a), last.does, x.src.rel(s.c), s.seen())
	}
	first.partnerDoes, last.partnerDoes, intruder.partnerDoes = intruder.does, intruder.does, first.does
	last.score *= lastOfThree
	intruder.score *= intruderOfThree
	return append(append(x.callers(s, first), x.reacquired(s, last)...), first, last, intruder)
}

// reacquired is where a function begins its second section of a lock, if one access is in
// its first section and the other in the second: each is guarded, the gap is the fault.
func (x *examiner) reacquired(s suspicion, last suspect) []suspect {
	if s.gap.file == "" || s.callA.file != "" || x.src.function(s.gap, "") != x.src.function(s.a, "") || x.src.function(s.gap, "") != x.src.function(s.c, "") {
		return nil
	}
	lock := x.src.lock(s.gap)
	if lock == "" {
		lock = "the lock"
	}
	g := last
	g.at, g.does = s.gap, "lock"
	g.says = fmt.Sprintf("locks %s again: what was %s at %s under it may have changed before the %s at %s, as by the %s at %s (%s)", lock, participle(s.ops[0]), x.src.rel(s.a), word(s.ops[2]), x.src.rel(s.c), word(s.ops[1]), x.src.rel(s.b), s.seen())
	g.score *= lockedAgain
	return []suspect{g}
}

// participle is the form of the verb for a letter: "read", "written".
func participle(letter byte) string {
	if letter == 'W' {
		return "written"
	}
	return "read"
}

// callers are the places of a function that calls what makes the first and the last
// access: there the two belong together.
func (x *examiner) callers(s suspicion, first suspect) []suspect {
	if s.callA.file == "" || !x.src.inside(s.callA) || x.src.test(s.callA) {
		return nil
	}
	a, c := first, first
	a.at, a.does = s.callA, "call"
	a.says = fmt.Sprintf("calls what %ss %s at %s, and at %s what %ss it at %s; another goroutine gets in between at %s (%s)", word(s.ops[0]), first.variable, x.src.rel(s.a), x.src.rel(s.callC), word(s.ops[2]), x.src.rel(s.c), x.src.rel(s.b), s.seen())
	if s.callC == s.callA {
		return []suspect{a}
	}
	c.at, c.does = s.callC, "call"
	c.says = fmt.Sprintf("calls what %ss %s at %s, after the call at %s; another goroutine gets in between at %s (%s)", word(s.ops[2]), first.variable, x.src.rel(s.c), x.src.rel(s.callA), x.src.rel(s.b), s.seen())
	a.score *= callsFirst
	c.score *= callsLast
	return []suspect{a, c}
}

func (x *examiner) betweenName(s suspicion) evidence.Fault {
	switch s.ops {
	case "RWW":
		if s.a != s.c && x.src.conditional(s.a) {
			return evidence.CheckThenAct
		}
		return evidence.LostUpdate
	case "RWR":
		if x.src.conditional(s.a) || s.a != s.c && x.src.updates(s.c) {
			return evidence.CheckThenAct
		}
		return evidence.InconsistentRead
	case "WWR":
		return evidence.OverwrittenValue
	}
	return evidence.IntermediateValue
}

// ofSynchron are the two places of an order of operations that synchronise.
func (x *examiner) ofSynchron(s suspicion, base suspect) []suspect {
	a, b, _ := strings.Cut(s.ops, ",")
	base.fault = synchronName(a, b)
	first, second := base, base
	first.at, first.does, first.partner, first.partnerDoes = s.a, a, s.b, b
	second.at, second.does, second.partner, second.partnerDoes = s.b, b, s.a, a
	first.says = fmt.Sprintf("%s comes before the %s at %s (%s)", a, b, x.src.rel(s.b), s.seen())
	second.says = fmt.Sprintf("%s comes after the %s at %s (%s)", b, a, x.src.rel(s.a), s.seen())
	first.score *= firstInOrder
	return []suspect{second, first}
}

// synchronName names an order of two operations on one object.
func synchronName(a, b string) evidence.Fault {
	wait, add := "WaitGroup.Wait", "WaitGroup.Add"
	switch {
	case strings.HasPrefix(a, wait) && strings.HasPrefix(b, add):
		return evidence.WaitNotForAll
	case strings.HasPrefix(a, "close") && strings.HasPrefix(b, "close"):
		return evidence.DoubleClose
	case strings.HasPrefix(a, "close") && strings.Contains(b, "send"):
		return evidence.CloseDuringSend
	case (a == "Cond.Signal" || a == "Cond.Broadcast") && b == "Cond.Wait":
		return evidence.MissedSignal
	}
	return evidence.OrderViolation
}

package sched

import (
	"strings"
	"testing"
	"unsafe"
)

// An interpreter runs a litmus program under the engine, with locks and the
// like built from Do.
type interpreter struct {
	p        *litmus
	pc       []int
	regs     [][]int
	mutex    [objects]struct{ Object }
	rw       [objects]struct{ Object }
	cond     [objects]struct{ Object }
	wg       [objects]struct{ Object }
	done     [objects]struct{ Object }
	cells    [objects]struct{ Object }
	locked   [objects]bool
	writer   [objects]bool
	readers  [objects]int
	queue    [objects][]int
	woken    []bool
	group    [objects]int32
	once     [objects]int
	atomics  [objects]int
	plain    [objects]int
	channels []chan int
	timers   [objects]*Timer
}

func (in *interpreter) body() {
	for _, n := range in.p.caps {
		in.channels = append(in.channels, MakeChan[int](n))
	}
	in.run(0)
}

func (in *interpreter) run(t int) {
	for in.pc[t] < len(in.p.threads[t]) {
		o := &in.p.threads[t][in.pc[t]]
		in.step(t, o)
		in.pc[t]++
	}
}

func (in *interpreter) see(t, v int) { in.regs[t] = append(in.regs[t], v) }

func (in *interpreter) channel(i int) chan int {
	if i < 0 {
		return nil
	}
	return in.channels[i]
}

func (in *interpreter) step(t int, o *op) {
	x := o.obj
	switch o.do {
	case "go":
		Go(func() { in.run(o.v) })
	case "yield":
		Yield()
	case "send":
		Send(in.channel(x), o.v)
	case "recv":
		v, ok := Recv2(in.channel(x))
		if !ok {
			v = -1
		}
		in.see(t, v)
	case "close":
		Close(in.channel(x))
	case "len":
		in.see(t, Len(in.channel(x)))
	case "select", "selectDefault":
		in.selects(t, o)
	case "load", "store", "add", "cas", "await", "plain":
		in.memory(t, o)
	case "sleep", "after", "afterGo", "stop", "reset", "now":
		in.clocked(t, o)
	default:
		in.locks(t, o)
	}
}

func (in *interpreter) selects(t int, o *op) {
	var cases []Case
	for _, c := range o.cases {
		if c.do == "send" {
			cases = append(cases, To(in.channel(c.obj)).Case(c.v))
		} else {
			cases = append(cases, From(in.channel(c.obj)))
		}
	}
	var i int
	if o.do == "select" {
		i = Select(cases...)
	} else if i = SelectDefault(cases...); i < 0 {
		i = len(cases)
	}
	in.see(t, i)
	if i < len(cases) {
		if r, ok := cases[i].(*RecvCase[int]); ok {
			if !r.OK {
				r.V = -1
			}
			in.see(t, r.V)
		}
	}
}

func (in *interpreter) memory(t int, o *op) {
	x := o.obj
	cell := &in.cells[x].Object
	as := func(op Op) Op {
		op.Obj, op.As, op.Word, op.Size = cell, AsWord, unsafe.Pointer(&in.atomics[x]), unsafe.Sizeof(in.atomics[x])
		if o.do == "store" {
			op.As = AsWordStore
		}
		return op
	}
	switch o.do {
	case "load":
		Do(as(Op{Kind: KindLoad, Read: true}))
		in.see(t, in.atomics[x])
	case "store":
		Do(as(Op{Kind: KindStore}))
		in.atomics[x] = o.v
	case "add":
		Do(as(Op{Kind: KindStore}))
		in.atomics[x] += o.v
		in.see(t, in.atomics[x])
	case "cas":
		Do(as(Op{Kind: KindStore}))
		in.see(t, b2i(in.atomics[x] == o.v))
		if in.atomics[x] == o.v {
			in.atomics[x] = o.w
		}
	case "await":
		for Do(as(Op{Kind: KindLoad, Read: true})); in.atomics[x] != o.v; Do(as(Op{Kind: KindLoad, Read: true})) {
			Yield()
		}
	case "plain":
		RW(&in.plain[x])
		in.plain[x] = in.plain[x]*10 + o.v
	}
}

func (in *interpreter) locks(t int, o *op) {
	x := o.obj
	mutex, rw, cond, wg, once := &in.mutex[x].Object, &in.rw[x].Object, &in.cond[x].Object, &in.wg[x].Object, &in.done[x].Object
	switch o.do {
	case "lock":
		Do(Op{Kind: KindAcquire, Obj: mutex, As: AsLock, Enabled: func() bool { return !in.locked[x] }})
		in.locked[x] = true
		Acquire(mutex)
	case "trylock":
		Do(Op{Kind: KindAcquire, Obj: mutex, As: AsLock})
		in.see(t, b2i(!in.locked[x]))
		in.locked[x] = true
		Acquire(mutex)
	case "unlock":
		in.unlock(x)
	case "arrive":
		Do(Op{Kind: KindArrive, Obj: rw, As: AsLock, Enabled: func() bool { return !in.writer[x] }})
		in.writer[x] = true
	case "wlock":
		Do(Op{Kind: KindAcquire, Obj: rw, As: AsLock, Enabled: func() bool { return in.readers[x] == 0 }})
		Acquire(rw)
	case "wunlock":
		Do(Op{Kind: KindRelease, Obj: rw, As: AsLock})
		in.writer[x] = false
		Release(rw)
	case "rlock":
		Do(Op{Kind: KindRAcquire, Obj: rw, As: AsLock, Enabled: func() bool { return !in.writer[x] }})
		in.readers[x]++
		Acquire(rw)
	case "runlock":
		Do(Op{Kind: KindRRelease, Obj: rw, As: AsLock})
		in.readers[x]--
		Release(rw)
	case "condWait": // the waiter queues before it unlocks, as sync.Cond does
		Do(Op{Kind: KindWait, Obj: cond})
		in.queue[x] = append(in.queue[x], t)
		in.unlock(x)
	case "condWake":
		Do(Op{Kind: KindWait, Obj: cond, Enabled: func() bool { return in.woken[t] }})
		in.woken[t] = false
	case "signal", "broadcast":
		Do(Op{Kind: KindSignal, Obj: cond})
		for len(in.queue[x]) > 0 {
			in.woken[in.queue[x][0]] = true
			in.queue[x] = in.queue[x][1:]
			if o.do == "signal" {
				break
			}
		}
	case "wgAdd":
		Do(Op{Kind: KindAdd, Obj: wg, As: AsCounter, Word: unsafe.Pointer(&in.group[x]), Size: uintptr(o.v)})
		if in.group[x] += int32(o.v); in.group[x] < 0 {
			panic("litmus: negative")
		}
	case "wgWait":
		Do(Op{Kind: KindWait, Obj: wg, As: AsCounter, Word: unsafe.Pointer(&in.group[x]), Enabled: func() bool { return in.group[x] == 0 }})
	case "onceBegin":
		Do(Op{Kind: KindAcquire, Obj: once, Enabled: func() bool { return in.once[x] != 1 }})
		if in.once[x] == 0 {
			in.once[x] = 1
		} else {
			in.pc[t] = o.jump - 1
		}
	case "onceEnd":
		Do(Op{Kind: KindRelease, Obj: once})
		in.once[x] = 2
	default:
		panic("unknown operation " + o.do)
	}
}

func (in *interpreter) unlock(x int) {
	Do(Op{Kind: KindRelease, Obj: &in.mutex[x].Object, As: AsLock})
	if !in.locked[x] {
		panic("litmus: unlock")
	}
	in.locked[x] = false
	Release(&in.mutex[x].Object)
}

// execute makes one execution of p and returns how it ended.
func execute(t testing.TB, p *litmus, s Strategy) (*Execution, string) {
	in := &interpreter{p: p, pc: make([]int, len(p.threads)), regs: make([][]int, len(p.threads)), woken: make([]bool, len(p.threads))}
	x := Run(s, Options{Clocked: true}, in.body)
	s.End(x)
	status := "ok"
	if x.Failure != nil {
		status = x.Failure.Kind
		if status == Panic {
			for text, name := range map[string]string{
				"litmus: unlock": "unlock", "litmus: negative": "negative",
				"send on closed": "send", "close of closed": "close",
			} {
				if strings.Contains(x.Failure.Message, text) {
					return x, "panic: " + name
				}
			}
		}
		if status != Deadlock && status != Blocked {
			t.Fatalf("%s: %s: %s", p.name, x.Failure.Kind, x.Failure.Message)
		}
	}
	return x, litmusOutcome(status, in.pc, in.regs, in.atomics, in.plain)
}

// explored is what a strategy finds out about a program.
type explored struct {
	outcomes              map[string]bool
	executions, redundant int
	complete              bool
}

func exploreLitmus(t testing.TB, p *litmus, s *dfs, most int) (e explored) {
	e.outcomes = map[string]bool{}
	for s.Begin() {
		if e.executions+e.redundant == most {
			return e
		}
		x, outcome := execute(t, p, s)
		if x.Abandoned {
			e.redundant++
			continue
		}
		e.executions++
		e.outcomes[outcome] = true
	}
	if s.diverged != "" {
		t.Fatalf("%s: %s", p.name, s.diverged)
	}
	e.complete = true
	return e
}

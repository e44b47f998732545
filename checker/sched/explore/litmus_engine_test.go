package explore

import (
	"strings"
	"testing"
	"unsafe"

	"mendel/checker/sched"
)

// An interpreter runs a litmus program under the engine, with locks and the
// like built from Do.
type interpreter struct {
	p        *litmus
	pc       []int
	regs     [][]int
	mutex    [objects]struct{ sched.Object }
	rw       [objects]struct{ sched.Object }
	cond     [objects]struct{ sched.Object }
	wg       [objects]struct{ sched.Object }
	done     [objects]struct{ sched.Object }
	cells    [objects]struct{ sched.Object }
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
	timers   [objects]*sched.Timer
}

func (in *interpreter) body() {
	for _, n := range in.p.caps {
		in.channels = append(in.channels, sched.MakeChan[int](n))
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
		sched.Go(func() { in.run(o.v) })
	case "yield":
		sched.Yield()
	case "send":
		sched.Send(in.channel(x), o.v)
	case "recv":
		v, ok := sched.Recv2(in.channel(x))
		if !ok {
			v = -1
		}
		in.see(t, v)
	case "close":
		sched.Close(in.channel(x))
	case "len":
		in.see(t, sched.Len(in.channel(x)))
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
	var cases []sched.Case
	for _, c := range o.cases {
		if c.do == "send" {
			cases = append(cases, sched.To(in.channel(c.obj)).Case(c.v))
		} else {
			cases = append(cases, sched.From(in.channel(c.obj)))
		}
	}
	var i int
	if o.do == "select" {
		i = sched.Select(cases...)
	} else if i = sched.SelectDefault(cases...); i < 0 {
		i = len(cases)
	}
	in.see(t, i)
	if i < len(cases) {
		if r, ok := cases[i].(*sched.RecvCase[int]); ok {
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
	as := func(op sched.Op) sched.Op {
		op.Obj, op.As, op.Word, op.Size = cell, sched.AsWord, unsafe.Pointer(&in.atomics[x]), unsafe.Sizeof(in.atomics[x])
		if o.do == "store" {
			op.As = sched.AsWordStore
		}
		return op
	}
	switch o.do {
	case "load":
		sched.Do(as(sched.Op{Kind: sched.KindLoad, Read: true}))
		in.see(t, in.atomics[x])
	case "store":
		sched.Do(as(sched.Op{Kind: sched.KindStore}))
		in.atomics[x] = o.v
	case "add":
		sched.Do(as(sched.Op{Kind: sched.KindStore}))
		in.atomics[x] += o.v
		in.see(t, in.atomics[x])
	case "cas":
		sched.Do(as(sched.Op{Kind: sched.KindStore}))
		in.see(t, b2i(in.atomics[x] == o.v))
		if in.atomics[x] == o.v {
			in.atomics[x] = o.w
		}
	case "await":
		for sched.Do(as(sched.Op{Kind: sched.KindLoad, Read: true})); in.atomics[x] != o.v; sched.Do(as(sched.Op{Kind: sched.KindLoad, Read: true})) {
			sched.Yield()
		}
	case "plain":
		sched.RW(&in.plain[x])
		in.plain[x] = in.plain[x]*10 + o.v
	}
}

func (in *interpreter) locks(t int, o *op) {
	x := o.obj
	mutex, rw, cond, wg, once := &in.mutex[x].Object, &in.rw[x].Object, &in.cond[x].Object, &in.wg[x].Object, &in.done[x].Object
	switch o.do {
	case "lock":
		sched.Do(sched.Op{Kind: sched.KindAcquire, Obj: mutex, As: sched.AsLock, Enabled: func() bool { return !in.locked[x] }})
		in.locked[x] = true
		sched.Acquire(mutex)
	case "trylock":
		sched.Do(sched.Op{Kind: sched.KindAcquire, Obj: mutex, As: sched.AsLock})
		in.see(t, b2i(!in.locked[x]))
		in.locked[x] = true
		sched.Acquire(mutex)
	case "unlock":
		in.unlock(x)
	case "arrive":
		sched.Do(sched.Op{Kind: sched.KindArrive, Obj: rw, As: sched.AsLock, Enabled: func() bool { return !in.writer[x] }})
		in.writer[x] = true
	case "wlock":
		sched.Do(sched.Op{Kind: sched.KindAcquire, Obj: rw, As: sched.AsLock, Enabled: func() bool { return in.readers[x] == 0 }})
		sched.Acquire(rw)
	case "wunlock":
		sched.Do(sched.Op{Kind: sched.KindRelease, Obj: rw, As: sched.AsLock})
		in.writer[x] = false
		sched.Release(rw)
	case "rlock":
		sched.Do(sched.Op{Kind: sched.KindRAcquire, Obj: rw, As: sched.AsLock, Enabled: func() bool { return !in.writer[x] }})
		in.readers[x]++
		sched.Acquire(rw)
	case "runlock":
		sched.Do(sched.Op{Kind: sched.KindRRelease, Obj: rw, As: sched.AsLock})
		in.readers[x]--
		sched.Release(rw)
	case "condWait": // the waiter queues before it unlocks, as sync.Cond does
		sched.Do(sched.Op{Kind: sched.KindWait, Obj: cond})
		in.queue[x] = append(in.queue[x], t)
		in.unlock(x)
	case "condWake":
		sched.Do(sched.Op{Kind: sched.KindWait, Obj: cond, Enabled: func() bool { return in.woken[t] }})
		in.woken[t] = false
	case "signal", "broadcast":
		sched.Do(sched.Op{Kind: sched.KindSignal, Obj: cond})
		for len(in.queue[x]) > 0 {
			in.woken[in.queue[x][0]] = true
			in.queue[x] = in.queue[x][1:]
			if o.do == "signal" {
				break
			}
		}
	case "wgAdd":
		sched.Do(sched.Op{Kind: sched.KindAdd, Obj: wg, As: sched.AsCounter, Word: unsafe.Pointer(&in.group[x]), Size: uintptr(o.v)})
		if in.group[x] += int32(o.v); in.group[x] < 0 {
			panic("litmus: negative")
		}
	case "wgWait":
		sched.Do(sched.Op{Kind: sched.KindWait, Obj: wg, As: sched.AsCounter, Word: unsafe.Pointer(&in.group[x]), Enabled: func() bool { return in.group[x] == 0 }})
	case "onceBegin":
		sched.Do(sched.Op{Kind: sched.KindAcquire, Obj: once, Enabled: func() bool { return in.once[x] != 1 }})
		if in.once[x] == 0 {
			in.once[x] = 1
		} else {
			in.pc[t] = o.jump - 1
		}
	case "onceEnd":
		sched.Do(sched.Op{Kind: sched.KindRelease, Obj: once})
		in.once[x] = 2
	default:
		panic("unknown operation " + o.do)
	}
}

func (in *interpreter) unlock(x int) {
	sched.Do(sched.Op{Kind: sched.KindRelease, Obj: &in.mutex[x].Object, As: sched.AsLock})
	if !in.locked[x] {
		panic("litmus: unlock")
	}
	in.locked[x] = false
	sched.Release(&in.mutex[x].Object)
}

// execute makes one execution of p and returns how it ended.
func execute(t testing.TB, p *litmus, s sched.Strategy) (*sched.Execution, string) {
	in := &interpreter{p: p, pc: make([]int, len(p.threads)), regs: make([][]int, len(p.threads)), woken: make([]bool, len(p.threads))}
	x := sched.Run(s, sched.Options{Clocked: true}, in.body)
	s.End(x)
	status := "ok"
	if x.Failure != nil {
		status = x.Failure.Kind
		if status == sched.Panic {
			for text, name := range map[string]string{
				"litmus: unlock": "unlock", "litmus: negative": "negative",
				"send on closed": "send", "close of closed": "close",
			} {
				if strings.Contains(x.Failure.Message, text) {
					return x, "panic: " + name
				}
			}
		}
		if status != sched.Deadlock && status != sched.Blocked {
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

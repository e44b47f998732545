package explore

import (
	"slices"
	"testing"
	"time"

	"mendel/checker/sched"
	"mendel/internal/sample"
)

// Operations on time. Any thread may be slow: the clock may pass to the earliest
// moment at which something is due whenever that is so. What the programs mean is
// told here, by the model, without looking at the engine.

func sleep(d int) []op          { return one("sleep", 0, d) }
func after(c, d int) []op       { return []op{{do: "after", obj: c, v: d}} }          // timer c sends on channel c
func afterGo(x, th, d int) []op { return []op{{do: "afterGo", obj: x, v: d, w: th}} } // timer x starts a thread
func stop(x int) []op           { return one("stop", x) }
func reset(x, d int) []op       { return one("reset", x, d) }
func now() []op                 { return one("now", 0) }

// timing is what a machine knows of time.
type timing struct {
	now    int
	timers []pendingTimer
	kinds  [objects]timerKind // by number: what a timer does when it expires
	set    int                // settings so far
	known  [][]int            // by thread: the settings that happened before
	asleep []bool             // by thread
}

type timerKind struct {
	sends bool // on the channel of its number, else it starts a thread
	start int
}

type pendingTimer struct {
	number  int // of a timer; -1: a sleep
	thread  int // that sleeps
	when    int
	setting int
	known   []int // what happened before the setting
}

func (tm timing) clone() timing {
	tm.timers, tm.known, tm.asleep = slices.Clone(tm.timers), slices.Clone(tm.known), slices.Clone(tm.asleep)
	return tm
}

// start starts a thread that knows of some settings.
func (m *machine) start(t int, known []int) {
	m.started[t] = true
	m.timing.known[t] = slices.Clone(known)
}

// arm sets a timer for thread t.
func (m *machine) arm(t, number, d int) {
	tm := &m.timing
	p := pendingTimer{number, t, tm.now + d, tm.set, slices.Clone(tm.known[t])}
	tm.timers = append(tm.timers, p)
	tm.known[t] = append(slices.Clone(tm.known[t]), tm.set)
	tm.set++
}

// disarm unsets timer x, or takes the value back that it sent.
func (m *machine) disarm(x int) bool {
	tm := &m.timing
	i := slices.IndexFunc(tm.timers, func(p pendingTimer) bool { return p.number == x })
	if i >= 0 {
		tm.timers = slices.Delete(slices.Clone(tm.timers), i, i+1)
		return true
	}
	if tm.kinds[x].sends && len(m.buf[x]) > 0 {
		m.buf[x] = m.buf[x][1:]
		return true
	}
	return false
}

// clocked does an operation on time; false if it has to wait.
func (m *machine) clocked(t int, o *op, see func(int)) bool {
	tm := &m.timing
	switch o.do {
	case "sleep":
		m.arm(t, -1, o.v)
		tm.asleep[t] = true
	case "after":
		tm.kinds[o.obj] = timerKind{sends: true}
		m.arm(t, o.obj, o.v)
	case "afterGo":
		tm.kinds[o.obj] = timerKind{start: o.w}
		m.arm(t, o.obj, o.v)
	case "stop":
		see(b2i(m.disarm(o.obj)))
	case "reset":
		see(b2i(m.disarm(o.obj)))
		m.arm(t, o.obj, o.v)
	case "now":
		see(tm.now)
	default:
		panic("unknown operation " + o.do)
	}
	return true
}

// expire returns the states that time leads to.
func (m *machine) expire() (after []*machine) {
	for i, p := range m.timing.timers {
		next := !slices.ContainsFunc(m.timing.timers, func(q pendingTimer) bool {
			return q.when < p.when || q.when == p.when && slices.Contains(p.known, q.setting)
		})
		if !next {
			continue
		}
		n := m.clone()
		tm := &n.timing
		tm.timers = slices.Delete(tm.timers, i, i+1)
		tm.now = max(tm.now, p.when)
		switch {
		case p.number < 0:
			tm.asleep[p.thread] = false
		case tm.kinds[p.number].sends:
			if len(n.buf[p.number]) < n.p.caps[p.number] {
				n.buf[p.number] = append(n.buf[p.number], 9)
			}
		default:
			n.start(tm.kinds[p.number].start, append(slices.Clone(p.known), p.setting))
		}
		after = append(after, n)
	}
	return after
}

// clocked is the engine's side.
func (in *interpreter) clocked(t int, o *op) {
	x, d := o.obj, time.Duration(o.v)
	switch o.do {
	case "sleep":
		sched.Sleep(d)
	case "after":
		c := in.channels[x]
		in.timers[x] = sched.NewTimerFor(sched.Sends(c), "after", d, func() { sched.SelectDefault(sched.To(c).Case(9)) })
	case "afterGo":
		in.timers[x] = sched.NewTimerFor(sched.Starts, "afterGo", d, func() { sched.Go(func() { in.run(o.w) }) })
	case "stop":
		in.see(t, b2i(in.timers[x].Stop()))
	case "reset":
		in.see(t, b2i(in.timers[x].Reset(d)))
	case "now":
		in.see(t, int(sched.Now()))
	}
}

var timePrograms = []*litmus{
	par("sleep and store", nil, ops(sleep(1), load(0)), ops(store(0, 1))),
	par("two sleepers", nil, ops(sleep(1), store(0, 1), load(1)), ops(sleep(2), store(1, 1), load(0))),
	par("equal sleeps", nil, ops(sleep(1), store(0, 1), load(1)), ops(sleep(1), store(1, 1), load(0))),
	par("sleeps in turn", nil, ops(sleep(1), store(0, 1), sleep(1), load(1)), ops(sleep(1), load(0), sleep(1), store(1, 2))),
	with0("time-out against a sender", []int{1, 0}, ops(after(0, 1), sel(recv(0), recv(1))), ops(send(1, 1))),
	with0("time-out against two steps", []int{1, 0}, ops(after(0, 2), sel(recv(0), recv(1))), ops(load(0), sleep(1), send(1, 1)), ops(store(0, 1))),
	with0("default", []int{1, 0}, ops(after(0, 1), selDef(recv(0)), now())),
	with0("stop", []int{1, 0}, ops(after(0, 1), load(0), stop(0), one("len", 0)), ops(store(0, 1))),
	{"stop by another", []int{1, 0}, [][]op{ops(after(0, 1), one("go", 0, 1), recv(0)), ops(stop(0))}},
	with0("drain", []int{1, 0}, ops(after(0, 1), stop(0), selDef(recv(0)), reset(0, 2), recv(0))),
	with0("reset", []int{1, 0}, ops(after(0, 1), reset(0, 3), recv(0), now()), ops(sleep(2), store(0, 1))),
	{"a function and its stop", nil, [][]op{ops(afterGo(0, 1, 1), load(0), stop(0), load(0)), ops(store(0, 1))}},
	{"a function overlaps", []int{0, 0}, [][]op{ops(afterGo(0, 1, 1), afterGo(1, 2, 2)), ops(add(0, 1), load(0)), ops(add(0, 2), load(0))}},
	{"functions at one moment", nil, [][]op{ops(afterGo(0, 1, 1), afterGo(1, 2, 1), load(0)), ops(add(0, 1)), ops(cas(0, 1, 5))}},
	{"a function sets a timer", []int{1, 0}, [][]op{ops(afterGo(1, 1, 1), load(0)), ops(after(0, 1), recv(0), store(0, 1))}},
	par("clock", nil, ops(now(), now()), ops(sleep(1)), ops(sleep(2))),
	par("clock and store", nil, ops(now(), store(0, 1), now()), ops(sleep(1), load(0))),
	par("lock and sleep", nil, ops(lock(0), sleep(1), unlock(0)), ops(sleep(1), lock(0), now(), unlock(0))),
	par("set after a store", nil, ops(store(0, 1), sleep(1), load(1)), ops(load(0), sleep(1), store(1, 1))),
}

// TestTimeLitmus compares outcomes of programs that use time.
func TestTimeLitmus(t *testing.T) {
	defer sched.OneProcessor()() // as the driver
	for _, p := range timePrograms {
		t.Run(p.name, func(t *testing.T) {
			failed := 0
			agree(t, p, 2_000, &failed)
			if failed == 0 {
				bounded(t, p)
			}
		})
	}
}

// timeOps are operations on time, whose durations are replaced, and some others.
var timeOps = [][]op{sleep(1), sleep(1), after(0, 1), stop(0), reset(0, 1), now(), afterGo(1, 0, 1), stop(1),
	load(0), store(0, 1), add(0, 1)}

var timeChannelOps = append(slices.Clone(timeOps), send(1, 1), recv(1), recv(0), sel(recv(0), recv(1)), sel(recv(0), send(1, 2)), selDef(recv(0)), closes(1), locked(0, sleep(1)))

// TestRandomTimeLitmus compares outcomes of random programs that use time.
func TestRandomTimeLitmus(t *testing.T) {
	defer sched.OneProcessor()() // as the driver
	for name, kinds := range map[string][][]op{"ties": timeOps, "channels": timeChannelOps} {
		t.Run(name, func(t *testing.T) {
			programs, limit := sample.Count(20, 60), 200
			if testing.Short() {
				programs = 10
			}
			draw := randomProgram(kinds)
			full, failed, used := 0, 0, 0
			for seed := range programs {
				p := withTimers(draw.Example(seed), name == "ties")
				if p == nil {
					continue
				}
				used++
				full += agree(t, p, limit, &failed)
				if failed == 0 && seed%5 == 0 {
					bounded(t, p)
				}
				if failed > 2 {
					t.FailNow()
				}
			}
			t.Logf("%d programs, %d of them compared without reduction too", used, full)
		})
	}
}

// withTimers makes a program of time well formed; nil if it cannot. A timer is set
// once, before others use it. The thread that one starts is the last, which sets
// none. Unless there are to be ties, each duration is another power of two, so that
// no two timers are due at one moment.
func withTimers(p *litmus, ties bool) *litmus {
	p.caps[0] = 1
	last := len(p.threads)
	var setup []op
	var clockOps int
	uses := [objects]bool{}
	for _, thread := range p.threads {
		for i := range thread {
			switch o := &thread[i]; o.do {
			case "after", "afterGo":
				*o = op{do: "now"}
				clockOps++
			case "stop", "reset":
				uses[o.obj] = true
				clockOps++
			case "sleep":
				clockOps++
			}
		}
	}
	if clockOps == 0 || clockOps > 4 {
		return nil
	}
	if uses[0] {
		setup = append(setup, after(0, 1)...)
	}
	if uses[1] {
		setup = append(setup, afterGo(1, last, 1)...)
		p.threads = append(p.threads, ops(add(0, 4), load(0)))
	}
	p.threads[0] = append(setup, p.threads[0]...)
	d := 1
	for _, thread := range p.threads {
		for i := range thread {
			switch o := &thread[i]; o.do {
			case "sleep", "after", "afterGo", "reset":
				if o.v = d; !ties {
					d *= 2
				} else {
					o.v = 1 + i%2
				}
			}
		}
	}
	return p
}

// bounded compares dfs with bounds with all schedules, made without it.
func bounded(t *testing.T, p *litmus) {
	t.Helper()
	const most = 4_000
	all := map[int]map[string]bool{0: {}, 1: {}, 2: {}}
	s := &everything{}
	for n := 0; s.Begin(); n++ {
		if n == most {
			return
		}
		x, outcome := execute(t, p, s)
		for bound := range all {
			if x.Preempted <= bound {
				all[bound][outcome] = true
			}
		}
	}
	for bound, want := range all {
		got := exploreLitmus(t, p, newDFS(bound, true), most)
		if !got.complete || lines(got.outcomes) != lines(want) {
			t.Errorf("%+v: bound %d: found in %d\n%s\nwant\n%s", p, bound, got.executions, lines(got.outcomes), lines(want))
		}
	}
}

// everything tries all choices, timers included.
type everything struct{ tree }

func (s *everything) Expire(n int, idle bool) int {
	if idle {
		return s.Choose(n)
	}
	return s.Choose(n+1) - 1
}

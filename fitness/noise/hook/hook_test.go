package hook

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// reset starts the noise of one seed afresh.
func reset(t testing.TB, text string) {
	t.Helper()
	configure(text)
	passes, yields, slept, started = [points]uint32{}, 0, 0, 0
	t.Cleanup(func() { configure("") })
}

// TestOff: without a seed a hook does nothing.
func TestOff(t *testing.T) {
	for _, text := range []string{"", "off", "-1", "1.5"} {
		reset(t, text)
		for i := range uint32(1000) {
			P(i)
			A(i)
			G(i)
		}
		if on || slept != 0 || yields != 0 {
			t.Errorf("seed %q: on %v, slept %v, %d yields", text, on, slept, yields)
		}
	}
}

// TestBudget: however often hooks are passed, sleep and yields stay within their limits.
func TestBudget(t *testing.T) {
	for seed := range len(profiles) {
		reset(t, fmt.Sprint(seed))
		for i := range uint32(200_000) {
			P(i % 7)
			A(i % 5)
		}
		if limit := baseSleep + profiles[seed].longest; slept > limit {
			t.Errorf("seed %d: slept %v, want at most %v", seed, slept, limit)
		}
		if yields > maxYields {
			t.Errorf("seed %d: %d yields", seed, yields)
		}
		if slept == 0 && yields == 0 {
			t.Errorf("seed %d does nothing", seed)
		}
	}
}

func TestAllowance(t *testing.T) {
	reset(t, "")
	for n, want := range map[uint32]time.Duration{0: baseSleep, 1: baseSleep + goroutineSleep, 1 << 20: maxSleep} {
		if started = n; allowance() != want {
			t.Errorf("%d goroutines: %v, want %v", n, allowance(), want)
		}
	}
}

// TestSeedsDiffer: the same seed perturbs at the same points, others at others.
func TestSeedsDiffer(t *testing.T) {
	where := func(seed int) string {
		reset(t, fmt.Sprint(seed))
		slept = maxSleep // yield only: the test need not wait
		var b strings.Builder
		for i := range uint32(64) {
			before := yields
			P(i)
			fmt.Fprint(&b, yields-before)
		}
		return b.String()
	}
	seen := make(map[string]int)
	for seed := range 16 {
		s := where(seed)
		if s != where(seed) {
			t.Errorf("seed %d is not repeatable", seed)
		}
		if other, ok := seen[s]; ok {
			t.Errorf("seeds %d and %d perturb at the same points", seed, other)
		}
		seen[s] = seed
	}
}

// TestJudge classifies goroutines as dumps show them.
func TestJudge(t *testing.T) {
	known["example.com/x"] = true
	timed = append(timed, "example.com/x.(*T[...]).wait", "example.com/x.glob.")
	const user = "example.com/x.f(0x1)\n\t/x/x.go:3 +0x1\n"
	const created = "created by example.com/x.g in goroutine 7\n\t/x/x.go:9 +0x2"
	tests := []struct {
		name, state, body string
		want              hold
	}{
		{"lock", "sync.Mutex.Lock", "sync.(*Mutex).Lock(...)\n\t/go/src/sync/mutex.go:46\n" + user + created, stuck},
		{"lock for minutes", "sync.Mutex.Lock, 3 minutes, locked to thread", user + created, stuck},
		{"semaphore", "semacquire", "sync.runtime_Semacquire(0x1)\n\t/go/src/runtime/sema.go:71\n" + user + created, stuck},
		{"garbage collector", "semacquire", user + created, active},
		{"send", "chan send", user + created, stuck},
		{"leaked", "chan receive (leaked)", user + created, awaits},
		{"receive", "chan receive", user + created, awaits},
		{"select in a library", "select", "net/http.(*conn).read(0x1)\n\t/go/x.go:1\n" + user + created, external},
		{"timed method", "select", "example.com/x.(*T[...]).wait.func1()\n\t/x/x.go:3\n" + created, external},
		{"timed literal", "select", "example.com/x.glob..func1()\n\t/x/x.go:3\n" + created, external},
		{"similar name", "select", "example.com/x.(*T[...]).waiter()\n\t/x/x.go:3\n" + created, awaits},
		{"select by reflection", "select", "reflect.rselect({0x1})\n\t/go/src/runtime/select.go:1\nreflect.Select({0x1})\n\t/go/src/reflect/value.go:1\n" + user + created, external},
		{"send by reflection", "chan send", "reflect.chansend0(0x1)\n\t/go/src/runtime/chan.go:1\n" + user + created, stuck},
		{"durable", "sleep (durable), synctest bubble 1", user + created, awaits},
		{"bubble", "synctest.Run (durable), synctest bubble 1", user + created, awaits},
		{"bubble's own", "chan receive (durable), synctest bubble 1", "testing/synctest.testingSynctestTest(0x1)\n\t/go/src/testing/testing.go:1\n" + created, system},
		{"sleep", "sleep", "time.Sleep(0x1)\n\t/go/src/runtime/time.go:363\n" + user + created, active},
		{"network", "IO wait", user + created, external},
		{"subtest", "chan receive", "testing.(*T).Run(0x1)\n\t/go/src/testing/testing.go:1\n" + user + created, system},
		{"watchdog", "sleep", "time.Sleep(0x1)\n\t/go/src/runtime/time.go:363\nmendelrt/noise.(*watchdog).run(0x1)\n\t/x.go:1\ncreated by mendelrt/noise.Watch in goroutine 7\n\t/x.go:1", system},
		{"started by a library", "chan send", user + "created by sync.(*WaitGroup).Go in goroutine 7\n\t/go/src/sync/waitgroup.go:1", stuck},
		{"nothing", "", "", system},
	}
	for _, tt := range tests {
		all := parse("goroutine 8 gp=0x1 m=nil [" + tt.state + "]:\n" + tt.body + "\n\ngoroutine 9 [running]:\nmain.main()\n\t/x.go:1\n")
		if len(all) != 2 || all[0].id != "8" || all[0].hold != tt.want {
			t.Errorf("%s: %+v, want hold %d", tt.name, all, tt.want)
		}
		for _, labelled := range []string{"] {k: \"a b, ]:\"}:\n", " labels:{\"k\": \"a b, ]:\"}]:\n"} {
			with := parse("goroutine 8 gp=0x1 m=nil [" + tt.state + labelled + tt.body)
			if len(with) != 1 || with[0].state != all[0].state || with[0].hold != tt.want {
				t.Errorf("%s, with labels: %+v, want hold %d", tt.name, with, tt.want)
			}
		}
	}
}

// TestWatch: a goroutine left behind is found, one that ends is not.
func TestWatch(t *testing.T) {
	known["mendel/fitness/noise/hook"] = true
	all, _ := goroutines()
	before := make(map[string]bool)
	for _, g := range all {
		before[g.id] = true
	}
	c := make(chan int)
	go func() { time.Sleep(20 * time.Millisecond) }()
	if left := leftBehind(before); len(left) != 0 {
		t.Errorf("left behind: %+v", left)
	}
	go func() { c <- 1 }()
	left := leftBehind(before)
	if len(left) != 1 || left[0].hold != stuck {
		t.Errorf("left behind: %+v, want the sender", left)
	}
	<-c
}

// A goroutine that gets the lock it waited for is a reason to wait longer. One
// that has sent its message is not: it may send for ever.
func TestFreed(t *testing.T) {
	for state, want := range map[string]bool{
		"sync.Mutex.Lock": true, "sync.RWMutex.RLock": true, "chan send": false, "select": false,
	} {
		var w watchdog
		w.see([]goroutine{{id: "1", state: state, at: "a.go:1"}, {id: "2", state: state, at: "a.go:1"}})
		if !w.freed.IsZero() {
			t.Errorf("%s: one is freed that was never seen before", state)
		}
		w.see([]goroutine{{id: "2", state: state, at: "a.go:1"}})
		if !w.freed.IsZero() != want {
			t.Errorf("%s: freed is %t, want %t", state, !want, want)
		}
	}
}

// Goroutines that wait for a lock which others get, one after the other, are not
// blocked for ever, however long that takes; nor is who waits for these.
func TestPassedOn(t *testing.T) {
	long := time.Now().Add(-2 * longGrace)
	waits := []goroutine{{id: "1", state: "sync.Mutex.Lock", at: "a.go:1"}, {id: "2", state: "sync.WaitGroup.Wait", at: "a.go:2"}}
	for _, freed := range []time.Time{{}, long, time.Now().Add(time.Hour)} {
		w := watchdog{since: map[stand]time.Time{waits[0].stand(): long, waits[1].stand(): long}, freed: freed}
		want := len(waits)
		if freed.After(long) {
			want = 0
		}
		if got := w.givenUp(waits); len(got) != want {
			t.Errorf("freed at %v: %d given up, want %d", freed, len(got), want)
		}
	}
}

// BenchmarkHook measures one hook in a hot loop: switched off, and with the
// noise of each profile.
func BenchmarkHook(b *testing.B) {
	for _, seed := range []string{"", "0", "1", "2", "3"} {
		b.Run("seed="+seed, func(b *testing.B) {
			reset(b, seed)
			for i := range b.N {
				P(uint32(i & 63))
			}
		})
	}
}

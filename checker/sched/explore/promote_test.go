package explore

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"testing"
	"unsafe"

	"mendel/checker/sched"
)

// passed explores a body and begins anew behind each race that it finds. It returns the
// last report and the races.
func passed(t *testing.T, s Search, body func()) (*Report, []sched.KnownRace) {
	t.Helper()
	s.Run.Trace = true
	for {
		r, err := Explore(nil, s, body)
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Failures) == 0 {
			return r, s.Run.Races
		}
		race, ok := r.Failures[0].Execution.Failure.KnownRace()
		if !ok {
			return r, s.Run.Races
		}
		if slices.Contains(s.Run.Races, race) {
			t.Fatalf("%v is reported though it is known", race)
		}
		s.Run.Races = append(s.Run.Races, race)
	}
}

// Behind their races programs have the outcomes of sequentially consistent memory.
func TestBehindRaces(t *testing.T) {
	tests := []struct {
		name string
		body func(out func(...int))
		want []string
	}{
		{"store buffering", func(out func(...int)) {
			x, y, done := new(int), new(int), sched.MakeChan[int](2)
			var a, b int
			sched.Go(func() {
				write(x, 1)
				a = read(y)
				sched.Send(done, 1)
			})
			sched.Go(func() {
				write(y, 1)
				b = read(x)
				sched.Send(done, 1)
			})
			sched.Recv(done)
			sched.Recv(done)
			out(a, b)
		}, []string{"[0 1]", "[1 0]", "[1 1]"}},
		{"message passing", func(out func(...int)) {
			x, flag, done := new(int), new(int), sched.MakeChan[int](1)
			sched.Go(func() {
				write(x, 1)
				write(flag, 1)
				sched.Send(done, 1)
			})
			f := read(flag)
			v := read(x)
			sched.Recv(done)
			out(f, v)
		}, []string{"[0 0]", "[0 1]", "[1 1]"}},
		{"three writers", func(out func(...int)) {
			x, done := new(int), sched.MakeChan[int](3)
			for i := range 3 {
				sched.Go(func() {
					write(x, i)
					sched.Send(done, 1)
				})
			}
			for range 3 {
				sched.Recv(done)
			}
			out(read(x))
		}, []string{"[0]", "[1]", "[2]"}},
	}
	for _, test := range tests {
		for _, strategy := range []string{"dfs", "random", "auto"} {
			t.Run(test.name+" "+strategy, func(t *testing.T) {
				seen := map[string]bool{}
				r, races := passed(t, Search{Strategy: strategy, Preemptions: -1, Executions: 1000}, func() {
					test.body(func(v ...int) { seen[fmt.Sprint(v)] = true })
				})
				if got := slices.Sorted(maps.Keys(seen)); !slices.Equal(got, test.want) {
					t.Errorf("outcomes %v, want %v", got, test.want)
				}
				if len(races) == 0 || strategy == "dfs" && r.Verdict != Exhausted {
					t.Errorf("%s behind %v", r, races)
				}
			})
		}
	}
}

// What lies behind a race is found, and its schedule replays with the races that it was
// made with.
func TestDeadlockBehindRace(t *testing.T) {
	body := func() {
		x, c := new(int), sched.MakeChan[int](0)
		sched.Go(func() {
			write(x, 1)
			sched.Send(c, 1)
		})
		if read(x) == 1 {
			sched.Recv(c)
		}
	}
	r, races := passed(t, Search{Strategy: "dfs", Preemptions: -1}, body)
	if r.Verdict != Failed || r.Failures[0].Execution.Failure.Kind != sched.Blocked || len(races) != 1 {
		t.Fatalf("%s behind %v, want a goroutine blocked behind one race", r, races)
	}
	x := r.Failures[0].Execution
	if !reflect.DeepEqual(x.Races, races) {
		t.Errorf("the execution was made behind %v, not %v", x.Races, races)
	}
	again, differs := replay(func(s sched.Strategy, o sched.Options) *sched.Execution { return sched.Run(s, o, body) }, sched.Options{Races: races}, x.Choices)
	if differs != "" || again.Failure == nil || again.Failure.Signature != x.Failure.Signature {
		t.Errorf("replayed: %v, %v", differs, again.Failure)
	}
}

// A race of one known access with a third one is another race.
func TestOtherRaceBehind(t *testing.T) {
	_, races := passed(t, Search{Strategy: "dfs", Preemptions: -1}, func() {
		x := new(int)
		p := unsafe.Pointer(x)
		sched.Go(func() { sched.Write(p, 8) })
		sched.Go(func() { sched.Write(p, 8) })
		sched.Read(p, 8)
	})
	if len(races) != 3 {
		t.Errorf("%d races, want those of three accesses: %v", len(races), races)
	}
}

// A goroutine that waits for a plain variable in a loop ends.
func TestSpinBehindRace(t *testing.T) {
	r, races := passed(t, Search{Strategy: "auto", Preemptions: -1, Executions: 300}, func() {
		stop := new(int)
		sched.Go(func() { write(stop, 1) })
		for read(stop) == 0 {
			sched.Yield()
		}
	})
	if r.Verdict == Failed || r.Verdict == Inconclusive || len(races) == 0 {
		t.Errorf("%s behind %v", r, races)
	}
}

func TestParseRaces(t *testing.T) {
	races := []sched.KnownRace{{{File: "a b.go", Line: 1}, {File: "c:/d.go", Line: 22}}, {{File: "x/y.go", Line: 3}, {File: "x/y.go", Line: 4}}}
	got, err := sched.ParseRaces(sched.FormatRaces(races))
	if err != nil || !reflect.DeepEqual(got, races) {
		t.Errorf("%v, %v", got, err)
	}
	if got, err := sched.ParseRaces(""); got != nil || err != nil {
		t.Errorf("%v, %v", got, err)
	}
	for _, text := range []string{"a.go:1", "a.go:1, b.go:x", "a.go:1, b.go:01", "a.go, b.go:1", ", "} {
		if got, err := sched.ParseRaces(text); err == nil {
			t.Errorf("%q is %v", text, got)
		}
	}
}

package explore

import (
	"runtime"
	"strings"
	"testing"

	"mendel/checker/sched"
)

// What a program sees of its goroutines are those of the execution.
func TestCensus(t *testing.T) {
	r, err := Explore(nil, Search{Strategy: "dfs", Run: sched.Options{Patience: -1}}, func() {
		before := sched.NumGoroutine()
		c := sched.MakeChan[bool](0)
		sched.GoAt("f.go:1", func() { sched.Recv(c) })
		buf := make([]byte, 64<<10)
		list := func() string { return string(buf[:sched.Stack(buf, true)]) }
		if text := list(); strings.Count(text, "\ncreated by ") != 1 || !strings.Contains(text, "\ncreated by mendel/checker/sched/explore.TestCensus.func1\n") {
			t.Errorf("the creator before it has run:\n%s", text)
		}
		if n := strings.Count(list(), "goroutine "); sched.NumGoroutine() != before+1 || n != 2 {
			t.Errorf("%d goroutines, listed %d, want %d and 2:\n%s", sched.NumGoroutine(), n, before+1, list())
		}
		sched.Sleep(1)
		if text := list(); strings.Count(text, "goroutine ") != 2 || strings.Contains(text, "supervise") || strings.Count(text, "\ncreated by ") != 1 {
			t.Errorf("it waits:\n%s", text)
		}
		sched.Close(c)
		sched.Sleep(1)
		if n := strings.Count(list(), "goroutine "); sched.NumGoroutine() != before || n != 1 {
			t.Errorf("%d goroutines, listed %d, want %d and 1:\n%s", sched.NumGoroutine(), n, before, list())
		}
	})
	if err != nil || r.Verdict != Exhausted {
		t.Errorf("%v %+v", err, r)
	}
	if n := sched.NumGoroutine(); n != runtime.NumGoroutine() {
		t.Errorf("outside an execution it is %d", n)
	}
}

// A goroutine has the state that it would have without the engine.
func TestCensusStates(t *testing.T) {
	r, err := Explore(nil, Search{Strategy: "dfs", Executions: 1}, func() {
		c, d := sched.MakeChan[bool](0), sched.MakeChan[bool](0)
		bodies := map[string]func(){
			"chan send":    func() { sched.To(c).Send(true) },
			"chan receive": func() { sched.Recv(d) },
			"sleep":        func() { sched.Sleep(1 << 60) },
			"select":       func() { sched.Select(sched.From(d), sched.From(d)) },
		}
		for _, body := range bodies {
			sched.GoAt("f.go:1", body)
		}
		sched.Sleep(1)
		bodies["runnable"] = func() {}
		sched.GoAt("f.go:2", bodies["runnable"])
		buf := make([]byte, 64<<10)
		text := string(buf[:sched.Stack(buf, true)])
		for state := range bodies {
			if strings.Count(text, " ["+state+"]:\n") != 1 {
				t.Errorf("no one in state %s:\n%s", state, text)
			}
		}
		sched.Recv(c)
		sched.Close(d)
	})
	if err != nil || len(r.Failures) > 0 {
		t.Errorf("%v %+v", err, r)
	}
}

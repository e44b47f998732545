package sched

import (
	"runtime"
	"strings"
	"testing"
)

// What a program sees of its goroutines are those of the execution.
func TestCensus(t *testing.T) {
	r, err := Explore(nil, Search{Strategy: "dfs", Run: Options{Patience: -1}}, func() {
		before := NumGoroutine()
		c := MakeChan[bool](0)
		GoAt("f.go:1", func() { Recv(c) })
		buf := make([]byte, 64<<10)
		list := func() string { return string(buf[:Stack(buf, true)]) }
		if text := list(); strings.Count(text, "\ncreated by ") != 1 || !strings.Contains(text, "\ncreated by mendel/checker/sched/explore.TestCensus.func1\n") {
			t.Errorf("the creator before it has run:\n%s", text)
		}
		if n := strings.Count(list(), "goroutine "); NumGoroutine() != before+1 || n != 2 {
			t.Errorf("%d goroutines, listed %d, want %d and 2:\n%s", NumGoroutine(), n, before+1, list())
		}
		Sleep(1)
		if text := list(); strings.Count(text, "goroutine ") != 2 || strings.Contains(text, "supervise") || strings.Count(text, "\ncreated by ") != 1 {
			t.Errorf("it waits:\n%s", text)
		}
		Close(c)
		Sleep(1)
		if n := strings.Count(list(), "goroutine "); NumGoroutine() != before || n != 1 {
			t.Errorf("%d goroutines, listed %d, want %d and 1:\n%s", NumGoroutine(), n, before, list())
		}
	})
	if err != nil || r.Verdict != Exhausted {
		t.Errorf("%v %+v", err, r)
	}
	if n := NumGoroutine(); n != runtime.NumGoroutine() {
		t.Errorf("outside an execution it is %d", n)
	}
}

// A goroutine has the state that it would have without the engine.
func TestCensusStates(t *testing.T) {
	r, err := Explore(nil, Search{Strategy: "dfs", Executions: 1}, func() {
		c, d := MakeChan[bool](0), MakeChan[bool](0)
		bodies := map[string]func(){
			"chan send":    func() { To(c).Send(true) },
			"chan receive": func() { Recv(d) },
			"sleep":        func() { Sleep(1 << 60) },
			"select":       func() { Select(From(d), From(d)) },
		}
		for _, body := range bodies {
			GoAt("f.go:1", body)
		}
		Sleep(1)
		bodies["runnable"] = func() {}
		GoAt("f.go:2", bodies["runnable"])
		buf := make([]byte, 64<<10)
		text := string(buf[:Stack(buf, true)])
		for state := range bodies {
			if strings.Count(text, " ["+state+"]:\n") != 1 {
				t.Errorf("no one in state %s:\n%s", state, text)
			}
		}
		Recv(c)
		Close(d)
	})
	if err != nil || len(r.Failures) > 0 {
		t.Errorf("%v %+v", err, r)
	}
}

// Calls of the engine are taken out, others get the names of what they stand for.
func TestProgramStacks(t *testing.T) {

	dump := strings.ReplaceAll(`goroutine 7 [chan receive]:
HOME/sched.(*goroutine).park(...)
	goroutine.go:1
HOME/shim/sync.(*Mutex).Lock(0xc)
	mutex.go:1
main.f()
	f.go:2
...additional frames elided...
HOME/sched.(*goroutine).main(0xc)
	goroutine.go:3
created by HOME/sched.(*goroutine).resume in goroutine 1
	goroutine.go:4

goroutine 8 [chan receive]:
main.left()
	f.go:3
HOME/sched.(*goroutine).main(0xc)
	goroutine.go:3

goroutine 9 [select]:
HOME/sched.(*execution).supervise(0xc)
	supervise.go:1

goroutine 10 [chan receive]:
HOME/driver.(*T).Run(0xc)
	testing.go:1
main.Test()
	f.go:4
HOME/sched.(*goroutine).main(0xd?)
	goroutine.go:3
`, "HOME/", home)
	left := func(n string) bool { return n == "8" }
	tell := func(address string) (state, created string) {
		if address == "0xd" {
			return "runnable", "\ncreated by main.g\n\tf.go:5"
		}
		return "", ""
	}
	got := strings.Join(programStacks(dump, left, tell), "\n\n")
	want := strings.TrimSpace(`
goroutine 7 [chan receive]:
sync.(*Mutex).Lock(0xc)
	mutex.go:1
main.f()
	f.go:2

goroutine 10 [runnable]:
testing.(*T).Run(...)
	testing.go:1
main.Test()
	f.go:4
created by main.g
	f.go:5
`)
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

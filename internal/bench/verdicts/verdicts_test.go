package verdicts

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"mendel/analysis/evidence"
	"mendel/checker"
	"mendel/checker/sched/explore"
	"mendel/internal/sample"
)

// The checker agrees with the model.
func TestRun(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and checks programs")
	}
	if err := Run(t.Context(), Options{Programs: sample.Count(8, 60), Seed: 14}, t.Output(), t.Output()); err != nil {
		t.Error(err)
	}
}

func TestRunRefuses(t *testing.T) {
	for _, o := range []Options{{}, {Programs: 1, Runs: -1}} {
		if err := Run(t.Context(), o, t.Output(), t.Output()); err == nil {
			t.Errorf("%+v: no error", o)
		}
	}
}

func one(do string, obj int, v ...int) stmt {
	s := stmt{do: do, obj: obj}
	if len(v) > 0 {
		s.v = v[0]
	}
	return s
}

func within(do string, obj int, body ...stmt) stmt { return stmt{do: do, obj: obj, body: body} }

// The model knows what the specification, the memory model and package sync say.
func TestModel(t *testing.T) {
	write, read := one("write", 0, 1), one("read", 0)
	for _, test := range []struct {
		name string
		caps []int
		main []stmt // of the test, and one other goroutine
		side []stmt
		want string
	}{
		{"no synchronisation", nil, []stmt{read}, []stmt{write}, "race"},
		{"two reads", nil, []stmt{read}, []stmt{read}, "ok"},
		{"a lock", nil, []stmt{within("lock", 0, read)}, []stmt{within("lock", 0, write)}, "ok"},
		{"two locks", nil, []stmt{within("lock", 0, read)}, []stmt{within("lock", 1, write)}, "race"},
		{"lock order", nil, []stmt{within("lock", 0, within("lock", 1, read))}, []stmt{within("lock", 1, within("lock", 0, write))}, "deadlock, ok"},
		{"read locks", nil, []stmt{within("rlock", 0, read)}, []stmt{within("rlock", 0, write)}, "race"},
		{"a read lock again", nil, []stmt{within("rlock", 0, within("rlock", 0, read))}, []stmt{within("wlock", 0, write)}, "deadlock, ok"},
		{"unbuffered", []int{0, 0}, []stmt{one("recv", 0), write}, []stmt{read, one("send", 0, 1)}, "ok"},
		{"unbuffered, backwards", []int{0, 0}, []stmt{one("send", 0, 1), write}, []stmt{read, one("recv", 0)}, "ok"},
		{"buffered, backwards", []int{1, 0}, []stmt{one("send", 0, 1), write}, []stmt{read, one("recv", 0)}, "race"},
		{"buffer full, backwards", []int{1, 0}, []stmt{one("send", 0, 1), one("send", 0, 1), write}, []stmt{read, one("recv", 0)}, "ok"},
		{"close", []int{0, 0}, []stmt{one("recv", 0), write}, []stmt{read, one("close", 0)}, "ok"},
		{"close twice", []int{0, 0}, []stmt{one("close", 0)}, []stmt{one("close", 0)}, "panic"},
		{"send or close", []int{1, 0}, []stmt{one("send", 0, 1)}, []stmt{one("close", 0)}, "ok, panic"},
		{"len", []int{1, 0}, []stmt{one("len", 0), {do: "if", v: 1, body: []stmt{read}}}, []stmt{write, one("send", 0, 1)}, "ok, race"},
		{"default", []int{0, 0}, []stmt{{do: "default", cases: []stmt{one("recv", 0)}}}, []stmt{one("send", 0, 1)}, "blocked, ok"},
		{"default, and a buffer", []int{0, 1}, []stmt{{do: "default", cases: []stmt{one("send", 0, 1), one("recv", 1)}}}, []stmt{one("recv", 0)}, "blocked, ok"},
		{"flag", nil, []stmt{one("load", 0), {do: "if", v: 1, body: []stmt{read}}}, []stmt{write, one("store", 0, 1)}, "ok"},
		{"flag too early", nil, []stmt{one("load", 0), {do: "if", v: 1, body: []stmt{read}}}, []stmt{one("store", 0, 1), write}, "ok, race"},
		{"signal lost", nil, []stmt{within("lock", 0, one("wait", 0))}, []stmt{within("lock", 0, one("signal", 0))}, "deadlock, ok"},
		{"once", nil, []stmt{within("once", 0, write), read}, []stmt{within("once", 0, write), read}, "ok"},
		{"once in itself", nil, []stmt{within("once", 0, within("once", 0, write))}, nil, "deadlock"},
		{"sleep", nil, []stmt{one("sleep", 0, 2), read}, []stmt{write}, "race"},
		{"slow writer", nil, []stmt{one("sleep", 0, 2), one("load", 0), {do: "if", v: 0, body: []stmt{read}}}, []stmt{write, one("store", 0, 1)}, "ok, race"},
		{"slow sender", []int{0, 0}, []stmt{{do: "timed", v: 1, cases: []stmt{one("recv", 0)}}}, []stmt{one("send", 0, 1)}, "blocked, ok"},
		{"slow sender, with room", []int{1, 0}, []stmt{{do: "timed", v: 1, cases: []stmt{one("recv", 0)}}}, []stmt{one("send", 0, 1)}, "ok"},
		{"time-out at last", []int{0, 0}, []stmt{{do: "timed", v: 1, cases: []stmt{one("recv", 0)}}}, nil, "ok"},
		{"group", nil, []stmt{one("wgwait", 0), read}, []stmt{write, one("done", 0)}, "ok"},
		{"group negative", nil, []stmt{one("done", 0)}, []stmt{one("done", 0)}, "panic"},
	} {
		p := &program{threads: [][]stmt{test.main, test.side}, caps: test.caps, forms: []int{0, 0}, done: 1}
		if p.caps == nil {
			p.caps = []int{0, 0}
		}
		e := enumerate(p, 1000)
		if got := strings.Join(slices.Sorted(maps.Keys(e.kinds)), ", "); got != test.want || e.partial {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

// Of store buffering all outcomes but one are possible.
func TestModelOutcomes(t *testing.T) {
	p := &program{join: true, caps: []int{0, 0}, forms: []int{0, 0}, threads: [][]stmt{
		nil, {one("store", 0, 1), one("load", 1)}, {one("store", 1, 1), one("load", 0)},
	}}
	e := enumerate(p, 1000)
	if len(e.outcomes) != 3 || e.outcomes["[0 1 0 1 -9 0 -9 0 -9]"] != nil {
		t.Errorf("outcomes %v", e.outcomes)
	}
	p.refused = e.outcomes["[0 1 0 1 -9 1 -9 1 -9]"]
	if e = enumerate(p, 1000); !e.kinds["test-failure"] || !e.kinds["ok"] || len(e.kinds) != 2 {
		t.Errorf("%v: %v", p.refused, e.kinds)
	}
}

func TestGenerate(t *testing.T) {
	kinds := map[string]bool{}
	for seed := range uint64(300) {
		p, again := generate(seed), generate(seed)
		a, _ := source([]*program{p})
		if b, _ := source([]*program{again}); a != b {
			t.Fatalf("program %d differs from itself", seed)
		}
		for _, kind := range p.kinds() {
			kinds[kind] = true
		}
	}
	if len(kinds) != 28 {
		t.Errorf("%d kinds of statements: %v", len(kinds), slices.Sorted(maps.Keys(kinds)))
	}
}

func TestJudge(t *testing.T) {
	failed := func(kinds ...string) *checker.Report {
		r := &checker.Report{Verdict: explore.Failed}
		for _, k := range kinds {
			f := checker.Failure{}
			f.Kind = evidence.Kind(k)
			r.Failures = append(r.Failures, f)
		}
		return r
	}
	exhausted := &checker.Report{Verdict: explore.Exhausted}
	for _, test := range []struct {
		want    string
		got     *checker.Report
		problem string
	}{
		{"ok", exhausted, ""},
		{"ok race", failed("race"), ""},
		{"ok race", exhausted, "missed: race"},
		{"ok", failed("race"), "false alarm: race"},
		{"deadlock panic", failed("panic"), "missed: deadlock"},
		{"deadlock race", failed("race"), ""},
		{"ok panic", &checker.Report{Verdict: explore.Passed}, ""},
		{"ok panic", &checker.Report{Verdict: explore.Inconclusive, Reason: "why"}, "inconclusive: why"},
	} {
		c := &comparison{Want: strings.Fields(test.want), program: generate(1)}
		if c.judge(test.got); c.Problem != test.problem {
			t.Errorf("want %s, got %v: %q, want %q", test.want, test.got, c.Problem, test.problem)
		}
		if r := (&report{Programs: []*comparison{c}}); len(r.Failures()) != min(1, len(c.Problem)) {
			t.Errorf("%q: failures %q", c.Problem, r.Failures())
		}
	}
}

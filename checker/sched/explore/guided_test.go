package explore

import (
	"slices"
	"strings"
	"testing"

	"mendel/checker/sched"
)

// TestGuided shows a failing schedule to its own program and to others.
func TestGuided(t *testing.T) {
	r := search(t, crossing(3, 3), Search{Strategy: "random", Seed: 5})
	if r.Verdict != Failed {
		t.Fatal(r)
	}
	choices := r.Failures[0].Execution.Choices
	for _, test := range []struct {
		p        *litmus
		want     string
		diverged string // a part of it
	}{
		{crossing(3, 3), "deadlock", ""},
		{crossing(3, 4), "deadlock", "were made, and 1 more"},
		{par("short", nil, lock(0), lock(1)), "ok", "choices could not be made"},
	} {
		s := NewGuided(choices)
		if !s.Begin() {
			t.Fatal("does not begin")
		}
		_, got := execute(t, test.p, s)
		if kind, _, _ := strings.Cut(got, " "); kind != test.want || (s.Diverged() == "") != (test.diverged == "") || !strings.Contains(s.Diverged(), test.diverged) {
			t.Errorf("%s: %s, want %s; diverged: %q, want %q", test.p.name, got, test.want, s.Diverged(), test.diverged)
		}
		if s.Begin() {
			t.Error("begins twice")
		}
	}
}

// TestHooks has a caller make the executions itself.
func TestHooks(t *testing.T) {
	made, body := 0, func() {
		c := sched.MakeChan[int](0)
		sched.Go(func() { sched.Send(c, 1) })
		if sched.SelectDefault(sched.From(c)) < 0 {
			sched.Fail("missed")
		}
	}
	var found []Found
	s := Search{
		Strategy: "random", Executions: 50, All: true,
		Found:   func(f Found) { found = append(found, f) },
		Execute: func(s sched.Strategy, o sched.Options) *sched.Execution { made++; return sched.Run(s, o, body) },
	}
	r, err := Explore(nil, s, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(found) == 0 || len(found) != len(r.Failures) {
		t.Fatalf("%d failures told, %d reported", len(found), len(r.Failures))
	}
	if made != r.Executions+len(found) { // each was replayed
		t.Errorf("%d executions made, %d reported", made, r.Executions)
	}
	if _, proven := s.Minimise(nil, 10, found[0].Execution, nil); !proven {
		t.Error("not minimised")
	}
}

func TestChoicesText(t *testing.T) {
	choices := []sched.Choice{{N: 0}, {N: 0}, {Kind: sched.Number, N: 2}, {N: 3}}
	text := sched.FormatChoices(choices)
	if text != "0*2 =2 3" {
		t.Errorf("%q", text)
	}
	for range 6 {
		choices = append(choices, choices...)
	}
	got, err := sched.ParseChoices(sched.FormatChoices(choices))
	if err != nil || !slices.Equal(got, choices) {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := sched.ParseChoices("0 x"); err == nil {
		t.Error("0 x is read")
	}
}

package driver

import (
	"strings"
	"testing"
	"testing/synctest"

	"mendel/checker/sched"
	"mendel/checker/sched/explore"
)

// Executions share the Ts of bubbles, and a T that a test has touched is not used
// again.
func TestBubbleTs(t *testing.T) {
	seen := map[*testing.T]int{}
	touch := false
	body := func(t *testing.T) {
		for range 2 {
			Of(t).Bubble(func(inner *testing.T) {
				if inner == t || inner.Name() != t.Name() {
					Of(t).Error("the T of the bubble is ", inner.Name())
				}
				if seen[inner]++; touch {
					inner.Log("touched")
				}
			})
		}
	}
	r := &runner{test: Test{Name: "TestX", Func: body}}
	defer r.dismiss()
	for range 3 {
		execute(t, r)
	}
	if len(seen) != 2 {
		t.Errorf("3 executions had %d Ts for their two bubbles", len(seen))
	}
	touch = true
	execute(t, r)
	execute(t, r)
	if len(seen) != 4 {
		t.Errorf("%d Ts in all, want 2 new ones after the first were touched", len(seen))
	}
}

// execute makes the plain execution once more.
func execute(t *testing.T, r *runner) {
	t.Helper()
	if x := r.execute(explore.NewGuided(nil), sched.Options{}); x.Failure != nil {
		t.Fatal(outcome(x))
	}
}

// A test has the failure that code outside control reports to the T of its bubble.
func TestBubbleFails(t *testing.T) {
	if testing.Verbose() {
		t.Skip("with -v package testing prints at once and keeps nothing")
	}
	x := once(t, func(t *testing.T) {
		Of(t).Bubble(func(inner *testing.T) { inner.Error("outside") })
	})
	want := "bubble_test.go:" + lineOf(t, "bubble_test.go", `inner.Error("outside")`) + ": outside"
	if kindOf(x) != sched.TestFailure || strings.TrimSpace(x.Failure.Message) != want {
		t.Errorf("got %s %q, want %q", kindOf(x), x.Failure.Message, want)
	}
}

// A T of a bubble does as that of package testing.
func TestBubbleMethods(t *testing.T) {
	got := compare(t, func(t *testing.T, note func(...any)) {
		inBubble(t, func(b *testing.T) {
			Of(b).Cleanup(func() { note("cleanup", b.Name(), Of(b).Context().Err()) })
			note("begin", Of(b).Context().Err())
			for name, call := range map[string]func(){
				"Run":      func() { Of(b).Run("sub", func(*testing.T) {}) },
				"Parallel": func() { Of(b).Parallel() },
				"Deadline": func() { Of(b).Deadline() },
			} {
				func() {
					defer func() {
						if got := recover(); got != "testing: t."+name+" called inside synctest bubble" {
							note(got)
						}
					}()
					call()
				}()
			}
		})
		inBubble(t, func(b *testing.T) { b.SkipNow() })
		note("end", t.Skipped(), Of(t).Context().Err())
	})
	if len(got) != 3 {
		t.Errorf("noted %q", got)
	}
}

// inBubble is synctest.Test.
func inBubble(t *testing.T, f func(*testing.T)) {
	if sched.Active() {
		Of(t).Bubble(f)
	} else {
		synctest.Test(t, f)
	}
}

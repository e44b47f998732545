package noise

import (
	"context"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"mendel/analysis/evidence"
)

// leaks is a program, and its tests, that leak goroutines.
var leaks = txtar.Parse([]byte(`
-- go.mod --
module example.com/zoo

go 1.25
-- main.go --
package main

var jobs = make(chan int)

func worker(c chan int) {
	for range c {
	}
}

func main() {}
-- main_test.go --
package main

import (
	"context"
	"testing"
	"time"
)

func TestReachable(t *testing.T) { go worker(jobs) }

func TestUnreachable(t *testing.T) { go worker(make(chan int)) }

// Contexts may end by themselves here, but this one does not.
func TestContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	_ = cancel
	_, limited := context.WithTimeout(ctx, time.Nanosecond)
	defer limited()
	go func() { <-ctx.Done() }()
}
`))

// TestLeakProfile: with the runtime's leak profile a goroutine that waits at a
// reachable channel is not blocked for ever. Without it that is not known.
func TestLeakProfile(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the standard library anew")
	}
	if _, ok, err := harness(t, leaks, Config{NoRace: true}).c.Tool.LeakProfile(t.Context()); err != nil {
		t.Fatal(err)
	} else if !ok {
		t.Skip("this toolchain has no leak profile")
	}
	for _, tt := range []struct {
		profile            bool
		reachable, blocked evidence.Kind
		context            evidence.Kind // of a goroutine that might, for all its function shows, wait for a timer
	}{
		{true, "", evidence.Blocked, evidence.Blocked},
		{false, evidence.Blocked, evidence.Blocked, ""},
	} {
		h := harness(t, leaks, Config{NoRace: true, LeakProfile: tt.profile})
		b := build(t, h, Noised, nil)
		for run, want := range map[string]evidence.Kind{"TestReachable": tt.reachable, "TestUnreachable": tt.blocked, "TestContext": tt.context} {
			o, err := h.run(context.Background(), b, run, RunOptions{Quiet: true, Timeout: 10 * time.Second})
			if err != nil || o.Kind() != want {
				t.Errorf("profile %v, %s: %q, want %q; error %v\n%s", tt.profile, run, o.Kind(), want, err, o.Output)
			}
		}
	}
}

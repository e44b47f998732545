package explore

import (
	"strings"
	"testing"

	"mendel/checker/sched"
)

// A recorded schedule is followed to its end although only a janitor goes on.
func TestRecordedTicksAreRepeated(t *testing.T) {
	body := func() { janitor(1) }
	choices := run(body).Choices
	for range 100 {
		choices = append(choices, choices[len(choices)-4:]...) // tick, select, lock, unlock
	}
	x, differs := replay(func(s sched.Strategy, o sched.Options) *sched.Execution { return sched.Run(s, o, body) }, sched.Options{}, choices)
	if x.Steps != len(choices)-1 || differs != "" && !strings.Contains(differs, "goes on after") {
		t.Errorf("%d steps of %d: %s", x.Steps, len(choices), differs)
	}
}

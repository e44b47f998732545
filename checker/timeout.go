package checker

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"mendel/checker/sched"
)

// A TimeOut expired although goroutines could go on.
type TimeOut struct {
	What   string        `json:"what"`   // "time.After", "context.WithTimeout", "time.Sleep"
	Lasts  time.Duration `json:"lasts"`  // from its setting, in nanoseconds
	Place  sched.Place   `json:"place"`  // where it was set
	Before sched.Place   `json:"before"` // where a goroutine was that could have gone on
}

// timeOuts converts what a process reported, each time-out once.
func (c *Checker) timeOuts(reported []sched.TimeOut) (all []TimeOut) {
	known := map[string]bool{}
	for _, r := range reported {
		t := TimeOut{What: r.What, Lasts: r.Lasts, Place: r.Place, Before: r.Overtaken}
		c.locate(&t.Place)
		c.locate(&t.Before)
		if text := t.String(); !known[text] {
			known[text] = true
			all = append(all, t)
		}
	}
	return all
}

// as reports whether a time-out lasts a duration, but for the moments that have passed when
// it is a difference to the present. A ticker lasts several of its periods if nobody took
// its last tick.
func (t TimeOut) as(d time.Duration) bool {
	ticks := t.What == "time.NewTicker" || t.What == "time.Tick"
	return t.Lasts <= d && d-t.Lasts <= d/100 || ticks && d > 0 && t.Lasts%d == 0
}

// String says what a failure needs:
// "TestGet's 1s time.After (get_test.go:12) to expire before main goes on at get_test.go:20 (channel send)".
func (t TimeOut) String() string {
	owner := shortFunction(t.Place.Function)
	if owner != "" {
		owner += "'s "
	}
	place := ""
	if t.Place.File != "" {
		place = fmt.Sprintf(" (%s:%d)", filepath.Base(t.Place.File), t.Place.Line)
	}
	before := t.Before.Goroutine
	if t.Before.File != "" {
		before += fmt.Sprintf(" goes on at %s:%d", filepath.Base(t.Before.File), t.Before.Line)
	}
	if t.Before.What != "" {
		before += " (" + t.Before.What + ")"
	}
	return fmt.Sprintf("%s%v %s%s to expire before %s", owner, t.Lasts, t.What, place, before)
}

// shortFunction leaves the package out: "TestGet" of "example.com/m/cache.TestGet.func1".
func shortFunction(name string) string {
	name = name[strings.LastIndex(name, "/")+1:]
	_, name, _ = strings.Cut(name, ".")
	for {
		at := strings.LastIndex(name, ".func")
		if at < 0 {
			return name
		}
		name = name[:at]
	}
}

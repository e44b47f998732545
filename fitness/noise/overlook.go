package noise

import (
	"slices"
	"strings"

	"mendel/analysis/evidence"
)

// Left names what a failure says is left blocked: for each goroutine what it waits
// in and the function, without lines, which a mutant moves. nil for any other
// failure.
func Left(f evidence.Failure) []string {
	if f.Kind != evidence.Blocked {
		return nil
	}
	var left []string
	for _, s := range f.Stacks {
		if len(s.Frames) == 0 {
			return nil
		}
		left = append(left, s.Role+" in "+s.Frames[0].Func)
	}
	slices.Sort(left)
	return slices.Compact(left)
}

// Overlook makes the outcomes of later runs leave out the goroutines that Left
// names: the program leaves them blocked in each run, and that is not what it is
// repaired for. A run that fails by nothing else passes.
func (h *Harness) Overlook(left []string) { h.overlooked.Store(&left) }

// Without returns an outcome that leaves out goroutines that Left names.
func (o Outcome) Without(left []string) Outcome {
	if o.Pass || o.hung || len(left) == 0 {
		return o
	}
	kept := slices.DeleteFunc(slices.Clone(o.Failures), func(f evidence.Failure) bool {
		names := Left(f)
		return len(names) > 0 && !slices.ContainsFunc(names, func(n string) bool { return !slices.Contains(left, n) })
	})
	if len(kept) < len(o.Failures) && len(kept) == 0 {
		return Outcome{Pass: true, Seed: o.Seed, Elapsed: o.Elapsed, CPU: o.CPU, Switches: o.Switches, Tests: o.Tests}
	}
	o.Failures = kept
	return o
}

// KeepApart makes the outcomes of later runs leave out how tests fail for another reason than
// what is to be repaired. A run that fails by nothing else passes. Tests to be skipped ([evidence.Apart.Skip]) are left
// out of runs.
func (h *Harness) KeepApart(ways []evidence.Apart) { h.apart.Store(&ways) }

// KeepApart returns an outcome whose failures of some ways are in its Apart.
func (o Outcome) KeepApart(ways []evidence.Apart) Outcome {
	if o.Pass || o.hung || len(ways) == 0 {
		return o
	}
	var kept, apart []evidence.Failure
	for _, f := range o.Failures {
		if _, known := evidence.IsApart(ways, f); known {
			apart = append(apart, f)
		} else {
			kept = append(kept, f)
		}
	}
	if len(apart) > 0 && len(kept) == 0 {
		return Outcome{Pass: true, Seed: o.Seed, Elapsed: o.Elapsed, CPU: o.CPU, Switches: o.Switches, Tests: o.Tests, Apart: apart}
	}
	o.Failures, o.Apart = kept, append(o.Apart, apart...)
	return o
}

// Idle reports whether goroutines that a failure says are left blocked wait for
// work, in a receive or select, and not for a lock, a wait group or a receiver.
func Idle(f evidence.Failure) bool {
	return f.Kind == evidence.Blocked && len(f.Stacks) > 0 && !slices.ContainsFunc(f.Stacks, func(s evidence.Stack) bool {
		return !strings.Contains(s.Role, "chan receive") && !strings.Contains(s.Role, "select")
	})
}

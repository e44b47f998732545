package checker

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"mendel/checker/sched/explore"
	"mendel/checker/wire"
)

// divided reports whether the search of the only test is divided among processes, see
// explore.Part: a bounded dfs that ends with the first failure, or may. Its result is that of
// one process.
func (k *check) divided() bool {
	return len(k.tests) == 1 && k.workers > 1 && k.s.Strategy == "dfs" && k.s.Preemptions >= 0 && !k.s.Wider &&
		k.s.Schedules == 0 && k.s.Impact == nil && k.s.Sample == 0 && (!k.s.All || k.s.Most > 0) && k.s.Deliver == 0 && len(k.s.Expect) == 0
}

// inParts explores the only test in several processes. It is false if the parts do not
// make a whole: then one process has to do it.
func (k *check) inParts(ctx context.Context) (whole bool, err error) {
	t := k.tests[0]
	board := filepath.Join(k.b.checker.dir, fmt.Sprintf("board%d", k.b.checker.names.Add(1)))
	if err := os.Mkdir(board, 0o700); err != nil {
		return true, fmt.Errorf("divide the search among processes: %w", err)
	}
	defer os.RemoveAll(board)
	all := make([]*wire.Test, k.workers)
	errs := make([]error, k.workers)
	var parts sync.WaitGroup
	for i := range all {
		parts.Go(func() { all[i], errs[i] = k.part(ctx, t, i, board) })
	}
	parts.Wait()
	if err := errors.Join(errs...); err != nil || ctx.Err() != nil {
		return true, err
	}
	a := merged(all)
	if a == nil {
		return false, nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.addAnswer(&part{seed: k.s.Seed}, t, a)
	return true, nil
}

// part explores one part; nil: there was no answer.
func (k *check) part(ctx context.Context, t *tested, index int, board string) (answer *wire.Test, err error) {
	wait, cancel := context.WithDeadline(ctx, k.deadline)
	defer cancel()
	release, err := k.b.checker.acquire(wait)
	if err != nil {
		return nil, nil
	}
	defer release()
	r := wire.Request{Mode: wire.Check, Tests: []string{t.name}, Search: k.search(k.left()), First: of([]string{t.name}, k.s.First)}
	r.Search.Part, r.Search.Parts, r.Search.Board = index, k.workers, board
	r.Search.All = false
	answer, result, err := k.ask(ctx, t, r, time.Now().Add(k.left()+overtime))
	if err == nil && answer == nil && ctx.Err() == nil && k.left() < atLeast {
		k.mu.Lock()
		defer k.mu.Unlock()
		t.noAnswer, t.hung = k.b.checker.exitReason(&result)
	}
	return answer, err
}

// merged is the answer of one process that explores all parts, but for the steps, which are
// those of all processes; nil if that cannot be told.
func merged(all []*wire.Test) *wire.Test {
	for _, a := range all {
		if a == nil || a.Stale || a.Stateful || !fits(a, all[0]) {
			return nil
		}
	}
	if len(all[0].Parts) == 0 { // the search was not begun
		return all[0]
	}
	sum := *slices.MinFunc(all, func(a, b *wire.Test) int {
		return cmp.Compare(slices.Index(severity, a.Verdict), slices.Index(severity, b.Verdict))
	})
	if first := firstFailure(all); first != nil {
		sum = *first
	}
	sum.Executions, sum.Redundant, sum.Steps, sum.Parts = sum.Executions-ended(sum.Parts), 0, 0, nil
	for _, a := range all {
		sum.Steps += a.Steps
		sum.Seconds = max(sum.Seconds, a.Seconds)
	}
	if sum.Verdict == explore.Failed {
		before(&sum, all)
	} else {
		together(&sum, all)
	}
	return &sum
}

// fits reports whether a process divided the search as another one did.
func fits(a, b *wire.Test) bool {
	if (len(a.Parts) == 0) != (len(b.Parts) == 0) || len(a.Parts) == 0 && a.Verdict != b.Verdict {
		return false
	}
	for i, p := range a.Parts {
		if p.Undivided || i < len(b.Parts) && (p.Spine != b.Parts[i].Spine || len(p.Made) != len(b.Parts[i].Made)) {
			return false
		}
	}
	return true
}

// ended counts the executions of parts that were made to their end.
func ended(parts []explore.BoundPart) (n int) {
	for _, p := range parts {
		for _, made := range p.Ended {
			n += made
		}
	}
	return n
}

// firstFailure is the answer whose failure one process would have found, nil if there is
// none.
func firstFailure(all []*wire.Test) (first *wire.Test) {
	at := func(a *wire.Test) explore.BoundPart { return a.Parts[len(a.Parts)-1] }
	for _, a := range all {
		if len(a.Failures) == 0 {
			continue
		}
		if first == nil || cmp.Or(cmp.Compare(at(a).Bound, at(first).Bound), cmp.Compare(at(a).Failed, at(first).Failed)) < 0 {
			first = a
		}
	}
	return first
}

// together adds what was explored of all parts up to the bound that all of them reached.
func together(sum *wire.Test, all []*wire.Test) {
	for i := 0; ; i++ {
		done, limited, fair := true, false, false
		begun := 0
		for _, a := range all {
			if i >= len(a.Parts) {
				done = false
				continue
			}
			p := a.Parts[i]
			done, limited, fair = done && p.Done, limited || p.Limited, fair || p.Fair
			sum.Executions += ended(a.Parts[i : i+1])
			if begun++; begun > 1 {
				sum.Executions -= p.Ended[0]
			}
		}
		if !done {
			return
		}
		if sum.Verdict == explore.Exhausted {
			if sum.Bound, sum.Fair = all[0].Parts[i].Bound, fair; !limited {
				sum.Bound = -1
			}
		}
		if !limited {
			return
		}
	}
}

// before counts what one process would have explored before the failure.
func before(sum *wire.Test, all []*wire.Test) {
	failed := firstFailure(all)
	if failed == nil {
		return
	}
	last := failed.Parts[len(failed.Parts)-1]
	nth := sum.Executions
	for i := range failed.Parts {
		for unit := range failed.Parts[i].Made {
			if failed.Parts[i].Bound == last.Bound && unit > last.Failed {
				break
			}
			for _, a := range all {
				if i >= len(a.Parts) || len(a.Parts[i].Made) <= unit || a.Parts[i].Made[unit] == 0 {
					continue
				}
				nth += a.Parts[i].Made[unit]
				sum.Executions += a.Parts[i].Ended[unit]
				break // the first execution is made for each part
			}
		}
	}
	sum.Failures = slices.Clone(sum.Failures)
	sum.Failures[0].Nth = nth
}

package evolve

// What a mutant's own failures tell. This goes beyond Kelk 2015, where a failing
// mutant tells its score and nothing else.
//
// Heat is nearness to the failures of the original, and the same for every
// mutant. But a mutant that guards one side of a race still fails by the other,
// and its failures name where that is. So some additions are of edits there.

import (
	"iter"
	"math/rand"
	"slices"
	"strings"

	"mendel/analysis/evidence"
	"mendel/mutate"
)

// A function that edits can change.
type function struct{ file, name string }

// told are a state's edits and one more in a function that its failures name: on
// a lock that its edits use, if they use any. Edits that it has on that lock in the
// same function give way to the new one, which may cover more than they do.
func (s *search) told(base *state, rng *rand.Rand) iter.Seq[proposal] {
	return func(yield func(proposal) bool) {
		edits := base.mutant.Edits
		if len(edits) == 0 {
			return
		}
		named := s.named(base.result.Samples)
		fit := s.fitting(edits)
		var choices []*choice
		for _, op := range s.catalogue.operators {
			for _, ch := range s.catalogue.by[op] {
				shares := len(fit.locks) == 0 || ch.Lock != nil && fit.locks[ch.Lock.Key]
				if shares && slices.Contains(named, function{ch.File, ch.Func}) && len(ch.Parts) == 0 {
					choices = append(choices, ch)
				}
			}
		}
		drawn := newSampler(fit.weigh(choices))
		for i, ok := drawn.draw(rng); ok; i, ok = drawn.draw(rng) {
			if !yield(proposal{with(withoutLike(edits, choices[i].Edit), choices[i]), choices[i]}) {
				return
			}
		}
	}
}

// named are the functions, of those that edits can change, in which failures
// happened: the innermost of each goroutine, and those that called it. Which of
// them has to take the lock depends on whose lock it is: that of a cache is taken
// around calls of the cache's queue.
func (s *search) named(failures []evidence.Failure) (all []function) {
	for _, f := range failures {
		for _, stack := range f.Stacks {
			for _, frame := range stack.Frames {
				if at, ok := s.catalogue.function(frame); ok && !slices.Contains(all, at) {
					all = append(all, at)
				}
			}
		}
	}
	return all
}

// function is the innermost that a frame is in; ok is false if no edit changes one.
func (c *catalogue) function(frame evidence.Frame) (at function, ok bool) {
	for _, f := range c.functions {
		if strings.HasSuffix(frame.File, "/"+f.file) && inFunction(frame.Func, f.name) && len(f.name) > len(at.name) {
			at, ok = f, true
		}
	}
	return at, ok
}

// inFunction reports whether a qualified name, "net/http.(*Server).Serve.func1",
// is that of a function or method, or of a function literal in it. Type arguments
// do not matter.
func inFunction(qualified, name string) bool {
	qualified = strings.ReplaceAll(qualified, "[...]", "")
	_, local, _ := strings.Cut(qualified[strings.LastIndex(qualified, "/")+1:], ".")
	return local == name || strings.HasPrefix(local, name+".")
}

// withoutLike is a set of edits without those in the function of another edit
// that use its lock.
func withoutLike(edits []mutate.Edit, e *mutate.Edit) []mutate.Edit {
	return slices.DeleteFunc(slices.Clone(edits), func(o mutate.Edit) bool {
		return o.File == e.File && o.Func == e.Func && o.Lock != nil && e.Lock != nil && o.Lock.Key == e.Lock.Key
	})
}

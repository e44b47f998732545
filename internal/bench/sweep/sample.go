package sweep

import (
	"context"
	"errors"
	"math/rand/v2"
	"regexp"
	"runtime"
	"sync"

	"mendel/mutate"
)

// sampleOf takes at most n edits, as many of each operator as there are and
// still fit, chosen by a seed; n 0 takes all. The order is that of the edits.
func sampleOf(edits []mutate.Edit, n int, seed uint64) []mutate.Edit {
	if n == 0 || len(edits) <= n {
		return edits
	}
	var operators []string
	by := make(map[string][]int)
	for i, e := range edits {
		if by[e.Operator] == nil {
			operators = append(operators, e.Operator)
		}
		by[e.Operator] = append(by[e.Operator], i)
	}
	random := rand.New(rand.NewPCG(seed, 2))
	for _, op := range operators {
		list := by[op]
		random.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	}
	chosen := make([]bool, len(edits))
	for left, round := n, 0; left > 0; round++ {
		for _, op := range operators {
			if round < len(by[op]) && left > 0 {
				chosen[by[op][round]] = true
				left--
			}
		}
	}
	var out []mutate.Edit
	for i, e := range edits {
		if chosen[i] {
			out = append(out, e)
		}
	}
	return out
}

// each does the work for all edits, as many at once as there are processors. It
// returns the first error.
func each(ctx context.Context, edits []mutate.Edit, do func(mutate.Edit) error) error {
	next := make(chan mutate.Edit)
	errs := make([]error, runtime.GOMAXPROCS(0))
	var wg sync.WaitGroup
	for i := range errs {
		wg.Go(func() {
			for e := range next {
				if errs[i] == nil {
					errs[i] = do(e)
				}
			}
		})
	}
	for _, e := range edits {
		if ctx.Err() != nil {
			break
		}
		next <- e
	}
	close(next)
	wg.Wait()
	return errors.Join(append(errs, ctx.Err())...)
}

// particular is what reasons for a refusal differ in: names with dots, brackets or
// digits in them, what is quoted, and the lock that a reason begins with.
var particular = regexp.MustCompile(`"[^"]*"|\S*[.:(\[\]/][^\s,;]*\w\S*|\S*\d\S*|^\S+ (?:is|has|would)\b|(?:hold|holds|lock|locks|release|releases|that locks) \S+`)

// shape is a reason without what is particular to an edit.
func shape(reason string) string {
	return particular.ReplaceAllStringFunc(reason, func(part string) string {
		for i := len(part) - 1; i >= 0; i-- {
			if part[i] == ' ' {
				if i == 0 || part[0] == '"' {
					break
				}
				if last := part[i+1:]; last == "is" || last == "has" || last == "would" {
					return "…" + part[i:]
				}
				return part[:i+1] + "…"
			}
		}
		return "…"
	})
}

package validate

import (
	"context"
	"errors"
	"slices"
)

// ErrLimit says that Minimise stopped at its limit of steps.
var ErrLimit = errors.New("the limit of steps is reached")

// Minimise reduces items to a subset that keep accepts and that is 1-minimal:
// taking any one more item out is refused. keep must accept items itself; it
// is not asked. It need not be monotone. Earlier items are tried for removal
// first, and those that remain keep their order.
//
// It tries to take out ever smaller chunks, then single items in turn, until all
// in a row were refused. That is delta debugging by complements
// (Zeller and Hildebrandt 2002) without the tests of small subsets, which for
// sets of edits hardly ever pass. For n items, keep is called at most
// 2n + n(n+1)/2 times, and at most limit times if limit is positive.
//
// On an error of keep, the end of ctx or at the limit (ErrLimit), Minimise
// returns the smallest subset accepted so far with the error.
func Minimise[T any](ctx context.Context, items []T, limit int, keep func(ctx context.Context, subset []T) (bool, error)) ([]T, error) {
	items = slices.Clone(items)
	calls := 0
	// without tries to take items[from:to] out.
	without := func(from, to int) (bool, error) {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		if limit > 0 && calls == limit {
			return false, ErrLimit
		}
		calls++
		subset := slices.Delete(slices.Clone(items), from, to)
		ok, err := keep(ctx, subset)
		if err != nil || !ok {
			return false, err
		}
		items = subset
		return true, nil
	}

	for chunk := len(items) / 2; chunk > 1; chunk /= 2 {
		for from := 0; from < len(items); {
			gone, err := without(from, min(from+chunk, len(items)))
			if err != nil {
				return items, err
			}
			if !gone {
				from += chunk
			}
		}
	}
	// Invariant: the last `refused` single removals, going round, were refused
	// for the present items.
	for at, refused := 0, 0; refused < len(items); {
		at %= len(items)
		gone, err := without(at, at+1)
		if err != nil {
			return items, err
		}
		if gone {
			refused = 0
		} else {
			refused++
			at++
		}
	}
	return items, nil
}

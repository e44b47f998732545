package validate

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// needs accepts a subset that holds all of some items: a monotone predicate.
func needs(needed ...int) func(context.Context, []int) (bool, error) {
	return func(_ context.Context, subset []int) (bool, error) {
		for _, n := range needed {
			if !slices.Contains(subset, n) {
				return false, nil
			}
		}
		return true, nil
	}
}

func upTo(n int) []int {
	items := make([]int, n)
	for i := range items {
		items[i] = i
	}
	return items
}

func TestMinimise(t *testing.T) {
	for _, test := range []struct {
		name string
		n    int
		keep func(context.Context, []int) (bool, error)
		want []int
	}{
		{"nothing to do", 0, needs(), []int{}},
		{"none needed", 7, needs(), []int{}},
		{"one of one", 1, needs(0), []int{0}},
		{"first and last", 9, needs(0, 8), []int{0, 8}},
		{"all needed", 4, needs(0, 1, 2, 3), []int{0, 1, 2, 3}},
		// 1 can go only once 2 has gone: one pass over single items is not enough.
		{"late removal", 3, func(_ context.Context, s []int) (bool, error) {
			return slices.Contains(s, 0) && (slices.Contains(s, 1) || !slices.Contains(s, 2)), nil
		}, []int{0}},
		// Items that are only accepted in pairs: no single one can go.
		{"pairs", 4, func(_ context.Context, s []int) (bool, error) { return len(s)%2 == 0 && slices.Contains(s, 3), nil }, []int{2, 3}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := Minimise(t.Context(), upTo(test.n), 0, test.keep)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}

// For any predicate, monotone or not, the result is accepted, 1-minimal, in
// order, and reached within the promised number of steps.
func TestMinimiseProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 12).Draw(t, "n")
		accepted := map[string]bool{}
		needed := rapid.SliceOfNDistinct(rapid.IntRange(0, 11), 0, 4, rapid.ID[int]).Draw(t, "needed")
		whims := rapid.Bool().Draw(t, "non-monotone")
		items, calls := upTo(n), 0
		keep := func(_ context.Context, subset []int) (bool, error) {
			calls++
			key := fmt.Sprint(subset)
			if _, known := accepted[key]; !known {
				ok, _ := needs(slices.DeleteFunc(slices.Clone(needed), func(i int) bool { return i >= n })...)(nil, subset)
				if whims {
					ok = ok && rapid.Bool().Draw(t, key)
				}
				accepted[key] = ok
			}
			return accepted[key], nil
		}
		accepted[fmt.Sprint(items)] = true

		got, err := Minimise(context.Background(), items, 0, keep)
		if err != nil {
			t.Fatal(err)
		}
		if limit := 2*n + n*(n+1)/2; calls > limit {
			t.Errorf("%d calls for %d items, promised at most %d", calls, n, limit)
		}
		if !accepted[fmt.Sprint(got)] {
			t.Errorf("result %v was never accepted", got)
		}
		if !slices.IsSorted(got) {
			t.Errorf("result %v is out of order", got)
		}
		for i := range got {
			smaller := slices.Delete(slices.Clone(got), i, i+1)
			if ok, asked := accepted[fmt.Sprint(smaller)]; !asked || ok {
				t.Errorf("result %v is not 1-minimal: %v was accepted=%v asked=%v", got, smaller, ok, asked)
			}
		}
		if !slices.Equal(items, upTo(n)) {
			t.Errorf("the caller's items were changed to %v", items)
		}
	})
}

func TestMinimiseStopsEarly(t *testing.T) {
	broken := errors.New("no disk")
	for _, test := range []struct {
		name    string
		limit   int
		failAt  int // call that returns broken; 0: none
		cancel  int // call that ends ctx; 0: none
		wantErr error
	}{
		{"limit", 3, 0, 0, ErrLimit},
		{"error", 0, 4, 0, broken},
		{"cancelled", 0, 0, 2, context.Canceled},
	} {
		t.Run(test.name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			calls := 0
			best := upTo(16)
			got, err := Minimise(ctx, best, test.limit, func(ctx context.Context, subset []int) (bool, error) {
				calls++
				if calls == test.failAt {
					return true, broken
				}
				if calls == test.cancel {
					cancel()
				}
				ok, _ := needs(3, 12)(ctx, subset)
				if ok {
					best = subset
				}
				return ok, nil
			})
			if !errors.Is(err, test.wantErr) {
				t.Errorf("error %v, want %v", err, test.wantErr)
			}
			if !slices.Equal(got, best) {
				t.Errorf("got %v, the best accepted was %v", got, best)
			}
			if test.limit > 0 && calls != test.limit {
				t.Errorf("%d calls with limit %d", calls, test.limit)
			}
		})
	}
}

// BenchmarkMinimise reports how many questions it takes to find two needed
// items among many: the cost of minimising is runs, not time.
func BenchmarkMinimise(b *testing.B) {
	for _, n := range []int{4, 16, 64} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			steps := 0
			for b.Loop() {
				steps = 0
				_, err := Minimise(b.Context(), upTo(n), 0, func(ctx context.Context, s []int) (bool, error) {
					steps++
					return needs(n/3, n-1)(ctx, s)
				})
				if err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(steps), "steps")
		})
	}
}

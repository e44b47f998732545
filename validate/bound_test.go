package validate

import (
	"slices"
	"testing"

	"mendel/checker"
	"mendel/checker/sched/explore"
)

// The bound of the checker is what the failure needed at least: what is left of the budget
// is spent on that.
func TestBoundFitsFailure(t *testing.T) {
	w := loadBank(t)
	m := w.mutant(t, w.edit(t, "guard", "(*Account).Deposit", "amount", 1))
	failure := func(preemptions int, proven bool) *checker.Report {
		return &checker.Report{Verdict: explore.Failed, Failures: []checker.Failure{{Preemptions: preemptions, Proven: proven}}}
	}
	for _, c := range []struct {
		name     string
		original *checker.Report
		reached  []int // by the searches; -1: none, -2: it fails
		bounds   []int // asked of the searches
		want     Checked
	}{
		{"nothing is known", nil, []int{0}, []int{2}, Checked{Bound: 0}},
		{"it needed none", failure(0, true), []int{0}, []int{2}, Checked{Bound: 0}},
		{"it needed what was reached", failure(1, true), []int{1}, []int{2}, Checked{Bound: 1, Needed: 1}},
		{"it needed more", failure(4, true), []int{1, 4}, []int{4, 4}, Checked{Bound: 4, Needed: 4}},
		{"it needed more than can be reached", failure(2, false), []int{1, 0}, []int{2, 2}, Checked{Bound: 1, Needed: 2}},
		{"a chance find", failure(9, false), []int{1}, []int{2}, Checked{Bound: 1}},
		{"the rest fails", failure(2, true), []int{1, -2}, []int{2, 2}, Checked{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := &fakeChecker{}
			k.fail = func(string, checker.Search) bool { return c.reached[len(k.searches)-1] == -2 }
			k.tell = func(s checker.Search, r *checker.Report) { r.Bound = c.reached[len(k.searches)-1] }
			v := w.checkedValidator(t, &fakeRunner{}, k, func(o *Options) { o.Original = c.original })
			got, err := v.explore(t.Context(), m, true)
			if fails := slices.Contains(c.reached, -2); (err != nil) != fails {
				t.Fatalf("error %v", err)
			}
			if got.Bound != c.want.Bound || got.Needed != c.want.Needed {
				t.Errorf("%+v, want %+v", got, c.want)
			}
			var bounds []int
			for _, s := range k.searches {
				bounds = append(bounds, s.Preemptions)
			}
			if !slices.Equal(bounds, c.bounds) || !k.searches[0].Wider || len(bounds) > 1 && k.searches[1].Schedules != 0 {
				t.Errorf("searches %+v, want bounds %v", k.searches, c.bounds)
			}
		})
	}
}

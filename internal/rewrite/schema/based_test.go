package schema

import (
	"slices"
	"testing"
)

func TestCause(t *testing.T) {
	for why, want := range map[string]string{
		"it declares type buffer otherwise":                   "a type changed",
		"it declares no type buffer":                          "a type changed",
		"rewritten, it declares func (*pool).Stop otherwise":  "a signature changed",
		"it declares func more":                               "a signature changed",
		"it declares var first otherwise":                     "an initial value changed",
		"another program declares something of the same name": "declarations clash",
		"what it declares does not go with what others do":    "declarations clash",
		"n.go says itself where its lines are":                "it has line directives",
		"there are too many functions with variants":          "too many variants",
		"marks of n.go differ":                                "it does not fit otherwise",
	} {
		if got := Cause(why); got != want {
			t.Errorf("%s: %s, want %s", why, got, want)
		}
	}
}

// Programs are tried with the program first, then with the first of those that are left, each
// time once.
func TestGroups(t *testing.T) {
	type call struct {
		some  []int
		based bool
	}
	var calls []call
	kind := []int{0, 1, 2, 1, 0, 3, 2} // 0 goes with the program, others with their like
	err := Groups([]int{0, 1, 2, 3, 4, 5, 6}, func(some []int, based bool) (unfit []int, err error) {
		calls = append(calls, call{slices.Clone(some), based})
		want := 0
		if based {
			want = kind[some[0]]
		}
		like := 0
		for _, i := range some {
			if kind[i] == want {
				like++
			} else {
				unfit = append(unfit, i)
			}
		}
		if like < 2 {
			return some, nil
		}
		return unfit, nil
	})
	want := []call{{[]int{0, 1, 2, 3, 4, 5, 6}, false}, {[]int{1, 2, 3, 5, 6}, false}, {[]int{1, 2, 3, 5, 6}, true}, {[]int{2, 5, 6}, true}}
	if err != nil || !slices.EqualFunc(calls, want, func(a, b call) bool { return a.based == b.based && slices.Equal(a.some, b.some) }) {
		t.Errorf("%v, %v; want %v", calls, err, want)
	}
}

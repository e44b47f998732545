package sched

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

// entries runs a loop over a map as rewritten programs do.
func entries[K comparable, V any](m map[K]V, visit func(K)) (keys []K) {
	for i, k, _, ok := RangeMap(m); ok; k, _, ok = i.Next() {
		keys = append(keys, k)
		visit(k)
	}
	return keys
}

func TestRangeMap(t *testing.T) {
	type pair struct {
		a any
		b [2]bool
	}
	ignore := func(pair) {}
	var got, all []string
	x := Run(newWander(1), Options{}, func() {
		m := map[int]string{3: "c", 1: "a", 2: "b", 4: "d"}
		got = append(got, fmt.Sprint(entries(m, func(k int) { delete(m, k+1); m[k+10] = "new" })))
		odd := map[float64]int{math.NaN(): 1, 2: 2, -1: 3, math.Inf(-1): 4}
		got = append(got, fmt.Sprint(entries(odd, func(float64) {})))
		p := map[pair]int{{"b", [2]bool{}}: 1, {"a", [2]bool{true}}: 2, {"a", [2]bool{}}: 3, {7, [2]bool{}}: 4, {nil, [2]bool{}}: 5}
		got = append(got, fmt.Sprint(entries(p, ignore)))
		got = append(got, fmt.Sprint(entries(map[pair]int(nil), ignore)))
	})
	if x.Failure != nil {
		t.Fatal(x.Failure.Message)
	}
	want := []string{
		"[1 3]",
		"[-Inf -1 2 NaN]",
		"[{<nil> [false false]} {7 [false false]} {a [false false]} {a [true false]} {b [false false]}]",
		"[]",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%q, want\n%q", got, want)
	}
	// Outside control every entry comes once.
	all = append(all, entries(map[string]int{"x": 1, "y": 2}, func(string) {})...)
	if slices.Sort(all); !slices.Equal(all, []string{"x", "y"}) {
		t.Errorf("got %q outside control", all)
	}
}

func TestRange(t *testing.T) {
	var sum, last int
	x := Run(newWander(1), Options{}, func() {
		c := Make[chan int](3)
		for v := range 3 {
			To(c).Send(v + 1)
		}
		Close(c)
		for i, v, ok := Range(c); ok; v, ok = i.Next() {
			sum += v
		}
		i, _, _ := Range(c)
		last, _ = i.Next()
	})
	if x.Failure != nil || sum != 6 || last != 0 {
		t.Errorf("sum %d, last %d, failure %v", sum, last, x.Failure)
	}
}

// The helpers panic where the accesses themselves would.
func TestAccessOfNil(t *testing.T) {
	for name, f := range map[string]func(){
		"R":  func() { R((*int)(nil)) },
		"W":  func() { W((*struct{})(nil)) },
		"RW": func() { RW((*string)(nil)) },
	} {
		func() {
			defer func() {
				if fmt.Sprint(recover()) != "runtime error: invalid memory address or nil pointer dereference" {
					t.Errorf("%s does not panic for nil", name)
				}
			}()
			f()
		}()
	}
}

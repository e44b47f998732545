package cover

import (
	"reflect"
	"testing"

	"mendel/interleave"
	"mendel/interleave/hook"
	"mendel/interleave/instrument"
	"mendel/internal/store"
)

// Names of sites do not depend on lines, and tell places in a function apart.
func TestSiteNames(t *testing.T) {
	got := siteNames([]instrument.Site{
		{File: "a.go", Line: 1, Function: "F", Operation: "read", Operand: "x"},
		{File: "a.go", Line: 2, Function: "F", Operation: "write", Operand: "x"},
		{File: "a.go", Line: 3, Function: "F", Operation: "read", Operand: "x"},
		{File: "a.go", Line: 4, Function: "G", Operation: "read", Operand: "x"},
	})
	want := []string{"a.go F read x #1", "a.go F write x #1", "a.go F read x #2", "a.go G read x #1"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// What is known counts for the same source. Of another source what failed is left; what
// is at places that are gone, or was exposed, is to be forgotten.
func TestRecall(t *testing.T) {
	m := &memory{
		sites:   map[string]uint32{"a": 1, "b": 2},
		exposed: interleave.Set{}, before: interleave.Set{},
		tries: map[interleave.IRoot]int{}, rows: map[interleave.IRoot]*store.IRoot{},
	}
	row := func(source, first, failed string) store.IRoot {
		ends := `[{"kind":"write","site":"` + first + `"},{"kind":"read","site":"b"}]`
		return store.IRoot{Idiom: 1, Ends: []byte(ends), Source: source, Exposed: true, Tries: 3, Failed: failed}
	}
	root := func(site uint32) interleave.IRoot {
		return interleave.IRoot{Idiom: 1, Ends: [4]interleave.End{{Site: site, Kind: hook.Write}, {Site: 2, Kind: hook.Read}}}
	}
	now := func(interleave.IRoot) string { return "now" }

	m.recall([]store.IRoot{row("now", "a", ""), row("before", "b", "race"), row("before", "b", ""), row("now", "gone", "race"),
		{Idiom: 9, Ends: []byte("[]")}, {Idiom: 1, Ends: []byte("{")}}, now)
	if want := (interleave.Set{root(1): true}); !reflect.DeepEqual(m.exposed, want) || !reflect.DeepEqual(m.before, want) {
		t.Errorf("exposed %v, before %v", m.exposed, m.before)
	}
	if m.tries[root(1)] != 3 || m.tries[root(2)] != 0 {
		t.Errorf("tries %v", m.tries)
	}
	if want := []interleave.IRoot{root(2)}; !reflect.DeepEqual(m.failed, want) {
		t.Errorf("failed %v", m.failed)
	}
	if len(m.stale) != 4 {
		t.Errorf("%d are to be forgotten: %+v", len(m.stale), m.stale)
	}
}

func TestGrowth(t *testing.T) {
	for _, c := range []struct {
		res  Result
		want string
	}{
		{Result{}, "No run was made."},
		{Result{Growth: []int{5}}, "Half of that was exposed after 1 run, all after 1; the last 0 exposed nothing new."},
		{Result{Growth: []int{2, 4, 6, 8, 8, 8}}, "Half of that was exposed after 2 runs, all after 4; the last 2 exposed nothing new."},
		{Result{Growth: []int{0, 0}, Saturated: true}, "Half of that was exposed after 1 run, all after 1; the last 1 exposed nothing new.\nSaturated: nothing is left to try, and runs with noise predict nothing new."},
	} {
		if got := c.res.growth(); got != c.want {
			t.Errorf("%v: %q, want %q", c.res.Growth, got, c.want)
		}
	}
}

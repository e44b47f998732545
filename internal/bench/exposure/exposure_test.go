package exposure

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"mendel/internal/cover"
)

func TestWords(t *testing.T) {
	for _, c := range []struct {
		runs []int
		want int
		text string
	}{
		{nil, 0, "- (0 of 0)"},
		{[]int{3, 1, 2}, 2, "2 (3 of 3)"},
		{[]int{4, 1, 2, 3}, 2, "2 (4 of 4)"},
		{[]int{0, 4, 0}, 0, "- (1 of 3)"},
		{[]int{0, 4, 5}, 5, "5 (2 of 3)"},
	} {
		var all Tries
		for _, n := range c.runs {
			all = append(all, Try{Runs: n})
		}
		if got := all.Median(); got != c.want || all.Words() != c.text {
			t.Errorf("%v: %d, %q; want %d, %q", c.runs, got, all.Words(), c.want, c.text)
		}
	}
}

func TestSeconds(t *testing.T) {
	if got := (Tries{{Seconds: 3}, {Seconds: 1}, {Seconds: 2}}).Seconds(); got != 2 || (Tries{}).Seconds() != 0 {
		t.Errorf("%v", got)
	}
}

func TestIdioms(t *testing.T) {
	if got := (Tries{{Runs: 1}, {Runs: 2, Idiom: 5}, {Runs: 9, Idiom: 5}, {}}).Idioms(); got != "none: 1, 5: 2" {
		t.Errorf("%q", got)
	}
}

// Each seed begins anew: a bug that shows only when it is forced is exposed with each.
func TestMeasure(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/p\n\ngo 1.26\n", "p.go": "package p\n", "p_test.go": lostTest} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	o := cover.TrialOptions{Options: cover.Options{Dir: dir, Workers: 1, Budget: 2 * time.Minute, Runs: 50}, Seeds: 2}
	all, err := Measure(t.Context(), o)
	if err != nil || all.Exposed() != 2 {
		t.Fatalf("%+v, %v", all, err)
	}
	for _, one := range all {
		if one.Kind != "test-failure" {
			t.Errorf("%+v", one)
		}
	}
	o.Strategy, o.Runs, o.Seeds = cover.Stress, 3, 1
	if all, err = Measure(t.Context(), o); err != nil || len(all) != 1 {
		t.Errorf("%+v, %v", all, err)
	}
}

// lostTest loses an update when a second goroutine comes between two critical sections.
const lostTest = `package p

import (
	"sync"
	"testing"
)

func TestAdd(t *testing.T) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	n := 0
	for range 2 {
		wg.Go(func() {
			mu.Lock()
			was := n
			mu.Unlock()
			mu.Lock()
			n = was + 1
			mu.Unlock()
		})
	}
	wg.Wait()
	if n != 2 {
		t.Error("lost")
	}
}
`

package real

import (
	"strings"
	"testing"

	"mendel/internal/bench/exposure"
	"mendel/internal/bench/tables"
)

// Rare failures are to show in half the runs that noise needs; others do not count, nor
// do those that need one run anyhow.
func TestNative(t *testing.T) {
	bug := func(name string, failed, maple, noise int) *nativeTries {
		return &nativeTries{
			Name: name, Plain: Runs{Done: 20, Failed: failed},
			Maple: exposure.Tries{{Runs: maple, Kind: "race"}}, Noise: exposure.Tries{{Runs: noise}},
		}
	}
	n := &native{Bugs: []*nativeTries{
		bug("frequent", 10, 0, 1), bug("at-once", 0, 1, 1), bug("good", 0, 2, 4), bug("alone", 0, 9, 0),
		bug("close", 9, 3, 5), bug("worse", 0, 2, 1), bug("hidden", 0, 0, 3),
	}}
	want := "close takes 3 runs, with noise 5; worse takes 2 runs, with noise 1; hidden is exposed with 0 of 1 seeds"
	if got := strings.Join(n.Failures(), "; "); got != want {
		t.Errorf("not met: %s\nwant %s", got, want)
	}
	var b strings.Builder
	if err := tables.Print(n, &b, true, nil); err != nil || !strings.Contains(b.String(), "| not rare |") {
		t.Errorf("%v\n%s", err, b.String())
	}
}

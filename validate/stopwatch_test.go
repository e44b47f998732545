package validate

import (
	"strings"
	"testing"
	"time"
)

func TestStopwatch(t *testing.T) {
	var w stopwatch
	w.start()
	w.add("proof", 2*time.Second)
	w.add("completing", time.Millisecond)
	w.add("cost", 300*time.Millisecond)
	w.add("proof", time.Second)
	if got := w.String(); !strings.HasSuffix(got, " s: proof 3.0 s, cost 0.3 s") {
		t.Errorf("the stages are %q", got)
	}
}

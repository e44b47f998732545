package report_test

import (
	"fmt"
	"os"

	"mendel/checker/sched/explore"
	"mendel/internal/report"
	"mendel/validate"
)

func ExamplePatch() {
	change := report.Change{
		Path:   "counter.go",
		Before: []byte("package counter\n"),
		After:  []byte("// Package counter counts.\npackage counter\n"),
	}
	os.Stdout.Write(report.Patch([]report.Change{change}, "Document the package\n"))
	// Output:
	// Document the package
	//
	// --- a/counter.go
	// +++ b/counter.go
	// @@ -1 +1,2 @@
	// +// Package counter counts.
	//  package counter
}

func ExampleLimits() {
	fix := &validate.Fix{Checked: validate.Checked{Verdict: explore.Exhausted, Bound: 2}, Race: true}
	for _, limit := range report.Limits(fix) {
		fmt.Println(limit)
	}
	// Output:
	// No run under noise has confirmed the patch, only the model checker. Read the patch.
	// Only what the tests execute was examined.
	// The model checker did not try all schedules with more than 2 preemptions.
}

package modules

import (
	"strings"
	"testing"
	"time"

	"mendel/internal/bench/tables"
	"mendel/internal/cover"
)

// What costs more than it may, in CPU time or in time, is told.
func TestOverheads(t *testing.T) {
	usage := func(cpu, elapsed time.Duration) cover.Usage {
		return cover.Usage{Elapsed: elapsed, CPU: cpu}
	}
	r := &overheads{Rounds: 3, Packages: []*overheadOf{
		{"a@v1", "good", cover.Overhead{
			Plain:    []cover.Usage{usage(1, 2), usage(2, 3), usage(9, 9)},
			Profiled: []cover.Usage{usage(4, 6), usage(99, 99), usage(1, 3)}, Events: 7,
		}},
		{"a@v1", "busy", cover.Overhead{Plain: []cover.Usage{usage(1, 5)}, Profiled: []cover.Usage{usage(11, 5)}}},
		{"a@v1", "slow", cover.Overhead{Plain: []cover.Usage{usage(1, 5)}, Profiled: []cover.Usage{usage(1, 60)}}},
		{"a@v1", "idle", cover.Overhead{Plain: []cover.Usage{usage(0, 1)}, Profiled: []cover.Usage{usage(1, 1)}}},
	}}
	var b strings.Builder
	if err := tables.Print(r, &b, false, nil); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"package busy: profiling costs 11.0 times", "package slow: profiling costs 12.0 times", "CPU time: 1.5 times in the median, 11.0 at most",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
	if len(r.Failures()) != 2 {
		t.Errorf("%q", r.Failures())
	}
}

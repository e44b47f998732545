//go:build linux && !portable

package gotool

import (
	"fmt"
	"os"
	"regexp"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// crowded says how many processors it may use. As "crowd" it first gets a crowd
// of children, and waits until that is noticed.
func crowded(mode string) {
	var all, now unix.CPUSet
	_ = unix.SchedGetaffinity(0, &all) // 0 processors fail the test
	now = all
	if mode == "crowd" {
		for range crowd {
			spawn("sleep", nil, os.Environ())
		}
		for now == all {
			time.Sleep(time.Millisecond)
			_ = unix.SchedGetaffinity(0, &now)
		}
		wait(spawn("crowded", nil, os.Environ()))
	}
	fmt.Printf("%s on %d\n", mode, now.Count())
}

// A crowd leaves one processor to others, also who joins it later. Fewer have all.
func TestCrowd(t *testing.T) {
	var all unix.CPUSet
	if err := unix.SchedGetaffinity(0, &all); err != nil {
		t.Fatal(err)
	}
	if all.Count() < 2 {
		t.Skip("needs two processors")
	}
	privateTemp(t)
	for mode, want := range map[string][]string{
		"crowded": {fmt.Sprintf("crowded on %d", all.Count())},
		"crowd":   {fmt.Sprintf("crowd on %d", all.Count()-1), fmt.Sprintf("crowded on %d", all.Count()-1)},
	} {
		r, err := Run(t.Context(), helper(mode))
		if err != nil || r.Stop != Exited || r.ExitCode != 0 {
			t.Errorf("%s: Stop %q, exit code %d, %v", mode, r.Stop, r.ExitCode, err)
		}
		for _, line := range want {
			if !regexp.MustCompile("(?m)^" + line + "$").Match(r.Output) {
				t.Errorf("%s: no line %q in\n%s", mode, line, r.Output)
			}
		}
	}
	var after unix.CPUSet
	if err := unix.SchedGetaffinity(0, &after); err != nil || after != all {
		t.Errorf("this thread may run on %d processors now, of %d, %v", after.Count(), all.Count(), err)
	}
}

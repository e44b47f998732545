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

// showAffinity prints how many processors it may use. As "many" it first starts
// many children, and waits until that is noticed.
func showAffinity(mode string) {
	var all, now unix.CPUSet
	_ = unix.SchedGetaffinity(0, &all) // 0 processors fail the test
	now = all
	if mode == "many" {
		for range affinityThreshold {
			spawn("sleep", nil, os.Environ())
		}
		for now == all {
			time.Sleep(time.Millisecond)
			_ = unix.SchedGetaffinity(0, &now)
		}
		wait(spawn("one-more", nil, os.Environ()))
	}
	fmt.Printf("%s on %d\n", mode, now.Count())
}

// Many processes leave one processor to others, also those that start later.
// Few may use all.
func TestAffinity(t *testing.T) {
	var all unix.CPUSet
	if err := unix.SchedGetaffinity(0, &all); err != nil {
		t.Fatal(err)
	}
	if all.Count() < 2 {
		t.Skip("needs two processors")
	}
	privateTemp(t)
	for mode, want := range map[string][]string{
		"one-more": {fmt.Sprintf("one-more on %d", all.Count())},
		"many":     {fmt.Sprintf("many on %d", all.Count()-1), fmt.Sprintf("one-more on %d", all.Count()-1)},
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

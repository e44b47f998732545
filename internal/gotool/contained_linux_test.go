//go:build linux && !portable

package gotool

import (
	"os"
	"testing"
)

// contained says that descendants cannot get away by leaving the process group.
const contained = true

// checkNoneMarked checks that no living process has a mark that a process gave.
func checkNoneMarked(t *testing.T, giver mark) {
	t.Helper()
	if left := marked(t, giver); len(left) > 0 {
		t.Errorf("%d processes are left: %v", len(left), left)
	}
}

// marked lists the living processes with a mark that a process gave.
func marked(t *testing.T, giver mark) (pids []int) {
	t.Helper()
	all, _, err := readProcesses(process{}, false)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range all {
		if !p.dead && p.pid != os.Getpid() && giver.gave(p.pid) {
			pids = append(pids, p.pid)
		}
	}
	return pids
}

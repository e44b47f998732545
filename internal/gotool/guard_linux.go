//go:build linux && !portable

package gotool

import (
	"fmt"
	"os"
	"time"
)

// sweep kills all processes with a mark that a process gave, until there are none.
func sweep(giver mark, deadline time.Time) error {
	for pause := time.Millisecond; ; pause = min(2*pause, 20*time.Millisecond) {
		// Twice: whoever was missed while its parent ended is found then.
		left := 0
		for range 2 {
			all, _, err := readProcesses(process{}, false)
			if err != nil {
				return err
			}
			for _, p := range all {
				if p.dead || p.pid == os.Getpid() || !giver.gave(p.pid) {
					continue
				}
				left++
				killProcess(p.pid, p.start)
			}
		}
		if left == 0 {
			return nil
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("%d processes cannot be killed", left)
		}
		time.Sleep(pause)
	}
}

// gave reports whether a process has one of the marks that have m in common.
func (m mark) gave(pid int) bool {
	found, ok := markOf(pid)
	return ok && found.process() == m || hasVariable(pid, m.variables())
}

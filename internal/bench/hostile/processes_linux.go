package hostile

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// processes are the living processes whose executable lies in the sandbox, with
// the bytes they have resident. It does not rely on the code under test.
func (a *sandbox) processes() map[int]int64 { return processesBelow(a.dir) }

// started are those that a test has started.
func (a *sandbox) started() map[int]int64 { return processesBelow(a.bin()) }

func processesBelow(dir string) map[int]int64 {
	found := map[int]int64{}
	names, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		return nil // no such pattern
	}
	for _, name := range names {
		// Processes that have ended, and zombies, have no executable to read.
		exe, err := os.Readlink(filepath.Join(name, "exe"))
		if err != nil || !strings.HasPrefix(exe, dir+"/") {
			continue
		}
		pid, err := strconv.Atoi(filepath.Base(name))
		if err != nil {
			continue
		}
		statm, _ := os.ReadFile(filepath.Join(name, "statm"))
		var pages int64
		if fields := strings.Fields(string(statm)); len(fields) > 1 {
			pages, _ = strconv.ParseInt(fields[1], 10, 64)
		}
		found[pid] = pages * int64(os.Getpagesize())
	}
	return found
}

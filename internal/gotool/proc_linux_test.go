//go:build linux && !portable

package gotool

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestReadProcess(t *testing.T) {
	p, err := readProcess(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	if p.pid != os.Getpid() || p.parent != os.Getppid() || p.dead || p.resident < 1<<20 || p.start == 0 {
		t.Errorf("got %+v for process %d of %d", p, os.Getpid(), os.Getppid())
	}
}

// Reading about processes makes no garbage.
func TestStatReaderGarbage(t *testing.T) {
	var r statReader
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	const times = 1000
	for range times {
		if _, err := r.read(os.Getpid()); err != nil {
			t.Fatal(err)
		}
	}
	runtime.ReadMemStats(&after)
	if each := (after.TotalAlloc - before.TotalAlloc) / times; each > 200 {
		t.Errorf("%d bytes allocated for each process", each)
	}
}

func TestReadProcesses(t *testing.T) {
	me, err := readProcess(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	later, lower, higher := me, me, me
	later.start++
	lower.pid--
	higher.pid++
	tests := []struct {
		first process
		newer bool
		want  bool // that this process is found
	}{
		{me, false, true}, {me, true, true},
		{later, false, false}, {later, true, false},
		{lower, true, true}, {higher, true, false}, {higher, false, true},
	}
	for _, test := range tests {
		all, _, err := readProcesses(test.first, test.newer)
		if err != nil {
			t.Fatal(err)
		}
		got := slices.ContainsFunc(all, func(p process) bool { return p.pid == me.pid })
		if got != test.want {
			t.Errorf("%+v, newer %t: found %t, want %t", test.first, test.newer, got, test.want)
		}
	}
}

// Going through the ids finds what the directory of all processes has, and no threads.
func TestEachSince(t *testing.T) {
	child := exec.Command("sleep", "60")
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _, _ = child.Process.Kill(), child.Wait() }()
	pid := child.Process.Pid
	for _, first := range []int{pid, 1} { // one by one, and, if there were many, by the directory
		var found []int
		if err := eachSince(first, func(pid int) { found = append(found, pid) }); err != nil {
			t.Fatal(err)
		}
		if !slices.Contains(found, pid) {
			t.Errorf("from %d: process %d was not found", first, pid)
		}
		for _, id := range found {
			if status, err := os.ReadFile(procFile(id, "status")); err == nil && !strings.Contains(string(status), fmt.Sprintf("\nTgid:\t%d\n", id)) {
				t.Errorf("from %d: %d is a thread", first, id)
			}
		}
		if first == pid && slices.Min(found) < first {
			t.Errorf("from %d: found %d", first, slices.Min(found))
		}
	}
}

// Scans are seldom as long as looks find everybody.
func TestScanDue(t *testing.T) {
	m := newMembers(process{pid: 10, start: 1}, 0)
	m.scanTime = time.Millisecond
	for _, test := range []struct {
		hidden bool
		after  time.Duration
		want   bool
	}{
		{false, scanEvery - time.Millisecond, false}, {false, scanEvery, true},
		{true, scanShare*time.Millisecond - 1, false}, {true, scanShare * time.Millisecond, true},
	} {
		m.hidden = test.hidden
		if got := m.due(m.scanned.Add(test.after)); got != test.want {
			t.Errorf("hidden %t, after %v: due %t", test.hidden, test.after, got)
		}
	}
}

// Who has lost the mark is looked for as often as before, with what it starts.
func TestHiddenWithoutMark(t *testing.T) {
	me, err := readProcess(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	m := newMembers(me, newMark()) // which this process does not have
	if m.sample(); !m.hidden {
		t.Error("a process without a mark counts as one with it")
	}
}

// The leader is known until it is reaped, even if a look does not find it.
func TestSampleKeepsLeader(t *testing.T) {
	const none = 1 << 30 // more than any process id
	m := newMembers(process{pid: none}, mark(0))
	m.known[none+1] = 0
	m.sample()
	if _, ok := m.known[none]; !ok {
		t.Error("the leader is not known any more")
	}
	if _, ok := m.known[none+1]; ok {
		t.Error("a member that has ended is still known")
	}
}

// The dead count as long as a member of the run has to wait for them.
func TestCounts(t *testing.T) {
	m := newMembers(process{pid: 10, start: 1}, 0)
	for p, want := range map[process]bool{
		{pid: 11, parent: 10}:             true,
		{pid: 12, parent: 1}:              true,
		{pid: 13, parent: 10, dead: true}: true,
		{pid: 14, parent: 1, dead: true}:  false,
	} {
		if got := m.counts(p); got != want {
			t.Errorf("%+v: %v", p, got)
		}
	}
}

// The last id is no lower than that of a process just started, but for the
// rare moment in which ids wrap around.
func TestLastPID(t *testing.T) {
	var last, pid int
	for range 3 {
		cmd := exec.Command("true")
		if err := cmd.Run(); err != nil {
			t.Fatal(err)
		}
		if last, pid = lastPID(), cmd.Process.Pid; last >= pid {
			return
		}
	}
	t.Errorf("last process id %d after process %d", last, pid)
}

const statLine = "4711 (a) b) (c) S 2 3 4 0 -1 4194304 100 0 0 0 0 0 0 0 20 0 1 0 150783 3133440 7 18446744073709551615 1 1 0 0\n"

func TestParseStat(t *testing.T) {
	want := process{pid: 4711, parent: 2, group: 3, session: 4, start: 150783, resident: 7 * int64(os.Getpagesize())}
	if got, err := parseStat([]byte(statLine)); err != nil || got != want {
		t.Errorf("got %+v, %v; want %+v", got, err, want)
	}
	if got, err := parseStat([]byte(strings.Replace(statLine, " S ", " Z ", 1))); err != nil || !got.dead {
		t.Errorf("got %+v, %v; want a dead process", got, err)
	}
	for _, bad := range []string{"", "1 (a", "1 a) (S 2", "1 (a) S 2 3", strings.Replace(statLine, " 2 ", " x ", 1)} {
		if got, err := parseStat([]byte(bad)); err == nil {
			t.Errorf("%q: no error, %+v", bad, got)
		}
	}
}

func FuzzParseStat(f *testing.F) {
	f.Add([]byte(statLine))
	f.Fuzz(func(t *testing.T, data []byte) { _, _ = parseStat(data) })
}

func TestHasVariable(t *testing.T) {
	pid := os.Getpid()
	env, err := os.ReadFile(procFile(pid, "environ"))
	if err != nil {
		t.Fatal(err)
	}
	for entry := range strings.SplitSeq(strings.TrimRight(string(env), "\x00"), "\x00") {
		name, _, found := strings.Cut(entry, "=")
		if found && name != "" && !hasVariable(pid, name+"=") {
			t.Errorf("%s was not found", name)
		}
	}
	if hasVariable(pid, "NO_SUCH_VARIABLE_HERE=") || hasVariable(1<<30, "PATH=") {
		t.Error("found a variable that is not there")
	}
}

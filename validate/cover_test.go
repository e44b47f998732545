package validate

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"mendel/mutate"
)

// Each case lists, per lock, the lines that its sections cover, and the number
// of guarded statements.
func TestCoverOf(t *testing.T) {
	for _, test := range []struct {
		name, body string
		want       string
		statements int
	}{
		{"none", "x++", "", 0},
		{"section", "mu.Lock()\nx++\ny++\nmu.Unlock()\nz++", "mu:2,3", 2},
		{"deferred", "a()\nmu.Lock()\ndefer mu.Unlock()\nx++\nreturn", "mu:4,5", 2},
		{"deferred literal", "mu.Lock()\ndefer func() { mu.Unlock() }()\nx++", "mu:3", 1},
		{"read side", "c.mu.RLock()\nx()\nc.mu.RUnlock()", "c.mu:2", 1},
		{"early return", "mu.Lock()\nif x {\nmu.Unlock()\nreturn\n}\ny++\nmu.Unlock()\nz++", "mu:2,6", 2},
		{"released around in a loop", "mu.Lock()\ndefer mu.Unlock()\nfor x {\ny++\nmu.Unlock()\ncall()\nmu.Lock()\nz++\n}", "mu:3,4,8", 3},
		{"nested locks", "a.Lock()\nx++\nb.Lock()\ny++\nb.Unlock()\na.Unlock()", "a:2,4 b:4", 3},
		{"again", "mu.Lock()\nx++\nmu.Unlock()\ny++\nmu.Lock()\nz++\nmu.Unlock()", "mu:2,6", 2},
		{"in a loop and a case", "for {\nswitch x {\ncase 1:\nmu.Lock()\nx++\nmu.Unlock()\n}\n}", "mu:5", 1},
		{"go statement runs outside", "mu.Lock()\ngo func() {\nx++\n}()\nmu.Unlock()", "mu:2", 1},
		{"arguments of a go statement inside", "mu.Lock()\ngo f(\nx)\nmu.Unlock()", "mu:2,3", 1},
		{"literal called inside", "mu.Lock()\neach(func() {\nx++\n})\nmu.Unlock()", "mu:2,3", 2},
		{"same lock, other spelling", "(&mu).Lock()\nx++\nmu.Unlock()\ny++", "mu:2", 1},
		{"not locks", "mu.Lock(1)\nx++\nLock()\nmu.lock()", "", 0},
		{"TryLock is none", "if mu.TryLock() {\nx++\nmu.Unlock()\n}", "", 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			src := "package p; func f() {\n" + test.body + "\n}\n"
			c, err := coverOf("p.go", []byte(src), func(line int) int { return line - 1 })
			if err != nil {
				t.Fatal(err)
			}
			if got := coverText(c); got != test.want {
				t.Errorf("covered %q, want %q", got, test.want)
			}
			if c.statements != test.statements {
				t.Errorf("%d statements guarded, want %d", c.statements, test.statements)
			}
		})
	}
}

func coverText(c cover) string {
	lines := map[string][]int{}
	for p := range c.guarded {
		if p.call != "" {
			continue
		}
		lines[p.lock] = append(lines[p.lock], p.line)
	}
	var parts []string
	for _, lock := range slices.Sorted(maps.Keys(lines)) {
		slices.Sort(lines[lock])
		text := strings.Trim(strings.ReplaceAll(fmt.Sprint(lines[lock]), " ", ","), "[]")
		parts = append(parts, lock+":"+text)
	}
	return strings.Join(parts, " ")
}

func TestCoverOfRefusesNonsense(t *testing.T) {
	if _, err := coverOf("p.go", []byte("package"), nil); err == nil || !strings.Contains(err.Error(), "p.go:1") {
		t.Errorf("error %v does not name the position", err)
	}
}

// What is read under a lock and called behind it was one line before. The lock is
// not held over the call.
func TestReadsOnlyDoesNotBlock(t *testing.T) {
	for _, c := range []struct {
		section string
		want    bool
	}{
		{"format := l.format; mu.Unlock(); format()", false},
		{"l.format(); mu.Unlock()", true},
		{"text := l.format(); mu.Unlock(); print(text)", true},
		{"go l.format(); mu.Unlock()", false},
		{"l.text <- 1; mu.Unlock()", true},
		{"for range l.text { }; mu.Unlock()", true},
		{"other.Lock(); l.n++; other.Unlock(); mu.Unlock(); l.format()", false},
	} {
		src := "package p; func f() { mu.Lock(); " + c.section + " }"
		has, err := coverOf("p.go", []byte(src), func(int) int { return 7 })
		if err != nil {
			t.Fatal(err)
		}
		if got := has.newlyBlocked(cover{}, has.sections, mutate.Blocker{Line: 7}); got != c.want {
			t.Errorf("%s: blocks %v, want %v", c.section, got, c.want)
		}
	}
}

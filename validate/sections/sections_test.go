package sections

import (
	"context"
	"fmt"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mendel/analysis"
	"mendel/analysis/analysistest"
	"mendel/analysis/locks"
	"mendel/analysis/locks/program"
	"mendel/mutate"
)

// coverSource is what the bodies of these tests use.
const coverSource = `package p

import "sync"

type counter struct{ mu sync.RWMutex }

func (c *counter) lock()         { c.mu.Lock() }
func (c *counter) unlock()       { c.mu.Unlock() }
func (c *counter) hold() func()  { c.mu.Lock(); return c.mu.Unlock }

type flock struct{}

func (flock) Lock()   {}
func (flock) Unlock() {}

type log struct {
	format func() string
	text   chan string
	n      int
}

var (
	mu, a, b, other sync.Mutex
	c                = new(counter)
	l                log
	file             flock
	ok               bool
	x, y, z          int
	keep             func(func())
)

func call() string       { return "" }
func each(f func())      { f() }
func use(...any)         {}
func start(f func())     { go f() }
`

// covered returns what functions with some bodies cover; lines are counted from each body's first.
func covered(t *testing.T, bodies []string, line func(int) int) []cover {
	t.Helper()
	dir := t.TempDir()
	source := coverSource
	first := make([]int, len(bodies))
	for i, body := range bodies {
		first[i] = strings.Count(source, "\n") + 1
		source += fmt.Sprintf("func f%d() {\n%s\n}\n", i, body)
	}
	for name, text := range map[string]string{"go.mod": "module example.com/p\n\ngo 1.25\n", "p.go": source} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	p, err := analysistest.Load(context.Background(), nil, analysis.Target{Dir: dir, Package: "."})
	if err != nil {
		t.Fatal(err)
	}
	m := locks.New(p)
	covers := make([]cover, len(bodies))
	for i := range bodies {
		name := fmt.Sprintf("example.com/p.f%d", i)
		fns := slices.DeleteFunc(m.In(p.Packages[0].Files[0]), func(fn *program.Func) bool { return fn.Decl == nil || fn.Decl.Name != name })
		covers[i] = coverOf(m, fns, func(_ *program.Func, pos token.Pos) int { return line(p.Fset.Position(pos).Line - first[i]) })
	}
	return covers
}

// Each case lists, per lock, the lines that its sections cover, and the number
// of guarded statements.
func TestCoverOf(t *testing.T) {
	tests := []struct {
		name, body string
		want       string
		statements int
	}{
		{"none", "x++", "", 0},
		{"section", "mu.Lock()\nx++\ny++\nmu.Unlock()\nz++", "mu:2,3", 2},
		{"deferred", "call()\nmu.Lock()\ndefer mu.Unlock()\nx++\nreturn", "mu:4,5", 2},
		{"deferred literal", "mu.Lock()\ndefer func() { mu.Unlock() }()\nx++", "mu:3", 1},
		{"deferred literal that does more", "mu.Lock()\ndefer func() {\ny++\nmu.Unlock()\nz++\n}()\nx++", "mu:2,3,7", 3},
		{"read side", "c.mu.RLock()\ncall()\nc.mu.RUnlock()", "c.mu:2", 1},
		{"early return", "mu.Lock()\nif ok {\nmu.Unlock()\nreturn\n}\ny++\nmu.Unlock()\nz++", "mu:2,6", 2},
		{"released in both branches", "mu.Lock()\nif ok {\nx++\nmu.Unlock()\n} else if x > 0 {\ny++\nmu.Unlock()\n} else {\nmu.Unlock()\n}\nz++", "mu:2,3,5,6", 4},
		{"released around in a loop", "mu.Lock()\ndefer mu.Unlock()\nfor ok {\ny++\nmu.Unlock()\ncall()\nmu.Lock()\nz++\n}", "mu:3,4,8", 3},
		{"nested locks", "a.Lock()\nx++\nb.Lock()\ny++\nb.Unlock()\na.Unlock()", "a:2,4 b:4", 3},
		{"again", "mu.Lock()\nx++\nmu.Unlock()\ny++\nmu.Lock()\nz++\nmu.Unlock()", "mu:2,6", 2},
		{"in a loop and a case", "for {\nswitch x {\ncase 1:\nmu.Lock()\nx++\nmu.Unlock()\n}\n}", "mu:5", 1},
		{"go statement runs outside", "mu.Lock()\ngo func() {\nx++\n}()\nmu.Unlock()", "mu:2", 1},
		{"arguments of a go statement inside", "mu.Lock()\ngo use(\nx)\nmu.Unlock()", "mu:2,3", 1},
		{"literal called inside", "mu.Lock()\neach(func() {\nx++\n})\nmu.Unlock()", "mu:2,3", 2},
		{"literal that is started inside", "mu.Lock()\nstart(func() {\nx++\n})\nmu.Unlock()", "mu:2,3", 2},
		{"literal that is given away", "mu.Lock()\nkeep(func() {\nx++\n})\nmu.Unlock()", "mu:2,3", 2},
		{"same lock, other spelling", "(&mu).Lock()\nx++\nmu.Unlock()\ny++", "mu:2", 1},
		{"by a local name", "l := &mu\nl.Lock()\nx++\nmu.Unlock()\ny++", "mu:3", 1},
		{"by helpers", "c.lock()\nx++\nc.unlock()\ny++", "c.mu:2,3", 2},
		{"returned release", "defer c.hold()()\nx++", "c.mu:2", 1},
		{"tried", "if mu.TryLock() {\nx++\nmu.Unlock()\n}", "mu:2", 1},
		{"held on some paths", "if ok {\nmu.Lock()\n}\nx++\nif ok {\nmu.Unlock()\n}", "", 0},
		{"no mutex", "file.Lock()\nx++\nfile.Unlock()", "", 0},
	}
	var bodies []string
	for _, test := range tests {
		bodies = append(bodies, test.body)
	}
	covers := covered(t, bodies, func(line int) int { return line })
	for i, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := covers[i]
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
		_, path, _ := strings.Cut(p.lock, " ")
		lock := strings.TrimPrefix(path, "example.com/p.")
		lines[lock] = append(lines[lock], p.line)
	}
	var parts []string
	for _, lock := range slices.Sorted(maps.Keys(lines)) {
		slices.Sort(lines[lock])
		text := strings.Trim(strings.ReplaceAll(fmt.Sprint(lines[lock]), " ", ","), "[]")
		parts = append(parts, lock+":"+text)
	}
	return strings.Join(parts, " ")
}

// What is read under a lock and called behind it was one line before. The lock is
// not held over the call.
func TestReadsOnlyDoesNotBlock(t *testing.T) {
	tests := []struct {
		section string
		want    bool
	}{
		{"format := l.format; mu.Unlock(); format()", false},
		{"l.format(); mu.Unlock()", true},
		{"text := l.format(); mu.Unlock(); print(text)", true},
		{"go l.format(); mu.Unlock()", false},
		{`l.text <- ""; mu.Unlock()`, true},
		{"<-l.text; mu.Unlock()", true},
		{"for range l.text { }; mu.Unlock()", true},
		{"other.Lock(); l.n++; other.Unlock(); mu.Unlock(); l.format()", false},
	}
	var bodies []string
	for _, c := range tests {
		bodies = append(bodies, "mu.Lock(); "+c.section)
	}
	covers := covered(t, bodies, func(int) int { return 7 })
	for i, c := range tests {
		has := covers[i]
		if got := has.newlyBlocked(cover{}, has.sections, mutate.Blocker{Line: 7}); got != c.want {
			t.Errorf("%s: blocks %v, want %v", c.section, got, c.want)
		}
	}
}

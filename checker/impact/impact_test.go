package impact

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mendel/analysis"
	"mendel/analysis/analysistest"
	"mendel/checker/sched"
	"mendel/internal/gotool"
)

const before = `package p

import "sync"

type box struct {
	mu   sync.Mutex
	n    int
	name string
}

func (b *box) add() {
	b.mu.Lock()
	b.n++
	b.mu.Unlock()
}

func (b *box) get() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.n
}

func (b *box) called() string {
	return b.name
}

func other(b *box) {
	b.name = ""
}
`

// load loads a program with one file.
func load(t *testing.T, text string) (*analysis.Program, string) {
	t.Helper()
	dir := t.TempDir()
	name := filepath.Join(dir, "p.go")
	for file, text := range map[string]string{"go.mod": "module example.com/p\n\ngo 1.25\n", "p.go": text, "p_test.go": "package p\n\nimport \"testing\"\n\nfunc Test(t *testing.T) { new(box).add() }\n"} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	tool, err := gotool.Open(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	p, err := analysistest.Load(context.Background(), tool, analysis.Target{Dir: tool.Dir, Package: "."})
	if err != nil {
		t.Fatal(err)
	}
	return p, filepath.Join(tool.Dir, filepath.Base(name))
}

// told words lines of p.go: "12-14 18".
func told(all []sched.Lines) string {
	var words []string
	for _, l := range all {
		if filepath.Base(l.File) != "p.go" {
			continue
		}
		if l.From == l.To {
			words = append(words, fmt.Sprint(l.From))
		} else {
			words = append(words, fmt.Sprintf("%d-%d", l.From, l.To))
		}
	}
	return strings.Join(words, " ")
}

// A change in a section of a lock concerns the section, its function and type, and what
// uses the same fields; a call in it, what is used there too.
func TestPoints(t *testing.T) {
	p, name := load(t, before)
	after := strings.Replace(before, "\tb.n++\n", "\tb.n++\n\tb.called()\n", 1)
	mutant, err := OfMutant(p, map[string][]byte{name: []byte(after)})
	if err != nil {
		t.Fatal(err)
	}
	q, changed := load(t, after)
	since := OfChange(q, map[string][]byte{changed: []byte(before)})
	for _, c := range []struct{ mode, want string }{
		{"LS", "12 13 14 15"},
		{"MOS", "11-16"},
		{"CA", "11-16 18-22 24-26"},
		// add and get, with their scheduling points, and who uses the name that called uses
		{"FS", "12 13 15 19 20 21 25 29"},
	} {
		for from, points := range map[string]*Points{"mutant": mutant, "change": since} {
			i, err := points.For(c.mode)
			if err != nil {
				t.Fatal(err)
			}
			if got := told(i.Ranges); got != c.want {
				t.Errorf("%s of the %s: %s, want %s", c.mode, from, got, c.want)
			}
			if i.Stack != (c.mode == "MOS") || i.All != (c.mode == "CA") {
				t.Errorf("%s: %+v", c.mode, i)
			}
		}
	}
}

// Where lines are taken away, those around matter, and the scheduling points around them.
func TestGone(t *testing.T) {
	p, name := load(t, before)
	after := strings.Replace(strings.Replace(before, "\tb.mu.Lock()\n\tb.n++\n\tb.mu.Unlock()\n", "\tb.n++\n", 1), "\tb.name = \"\"\n", "\tb.name = \"\"\n\tgo b.add()\n", 1)
	points, err := OfMutant(p, map[string][]byte{name: []byte(after)})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := told(points.lines), "11 12 13 27"; got != want {
		t.Errorf("lines %s, want %s", got, want)
	}
}

func TestModes(t *testing.T) {
	if i, err := (&Points{}).For(Basic); i != nil || err != nil {
		t.Errorf("%v %v", i, err)
	}
	if _, err := (&Points{}).For("FOS"); err == nil || !strings.Contains(err.Error(), "want CS, CA") {
		t.Errorf("%v", err)
	}
	for _, mode := range append(Modes, "default") {
		if _, err := (&Points{}).For(mode); err != nil {
			t.Error(err)
		}
	}
	if _, err := OfMutant(mustLoad(t)); err == nil {
		t.Error("a mutant that does not compile has points")
	}
}

func mustLoad(t *testing.T) (*analysis.Program, map[string][]byte) {
	p, name := load(t, before)
	return p, map[string][]byte{name: []byte("package p\n\nfunc (")}
}

package diagnosis

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mendel/analysis"
	"mendel/analysis/analysistest"
	"mendel/analysis/evidence"
	"mendel/analysis/locks"
)

// A failed test may show that something is not given back: on a way out that fails, and behind a call of code that
// panics if the test panics.
func TestTaken(t *testing.T) {
	for _, tt := range []struct{ name, fails, behind, test, at string }{
		{"exit", "return nil, err", "", "", "(*Pool).Get"},
		{"given back", "<-p.slots; return nil, err", "", "", ""},
		{"panic", "<-p.slots; return nil, err", "<-p.slots", "defer func() { recover() }()", "(*Pool).Do"},
		{"no panic", "<-p.slots; return nil, err", "<-p.slots", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range map[string]string{
				"go.mod": "module example.com/m\n\ngo 1.24\n",
				"a.go": strings.NewReplacer("FAILS", tt.fails, "BEHIND", tt.behind).Replace(`package m
type Pool struct{ slots chan struct{} }
type Slot struct{ p *Pool }
func (s *Slot) Put() { <-s.p.slots }
func (p *Pool) Get(open func() error) (*Slot, error) {
	p.slots <- struct{}{}
	if err := open(); err != nil {
		FAILS
	}
	return &Slot{p}, nil
}
func (p *Pool) Do(f func()) {
	p.slots <- struct{}{}
	f()
	BEHIND
}
`),
				"a_test.go": "package m\nimport \"testing\"\nfunc TestPool(t *testing.T) {\n\t" + tt.test + "\n\tt.Error(\"full\")\n}\n",
			} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			p, err := analysistest.Load(t.Context(), nil, analysis.Target{Dir: dir, Package: "."})
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			for _, f := range bySource(locks.New(p), p, evidence.Failure{Kind: evidence.TestFailure, Test: "TestPool/inner"}) {
				if f.Fault == evidence.NotGivenBack {
					got = f.Places[0].Func
				}
			}
			if got != tt.at {
				t.Errorf("found at %q, want %q", got, tt.at)
			}
		})
	}
}

//go:build go1.27

package instrument_test

import (
	"path/filepath"
	"testing"

	"mendel/analysis"
	"mendel/fitness/noise"
	"mendel/interleave"
	"mendel/interleave/hook"
	"mendel/interleave/instrument"
	"mendel/internal/gotool"
)

// TestLanguage: what came to the language with Go 1.26 and 1.27 builds with hooks, no file is
// left without, and does what it did. Its go statements are recorded.
func TestLanguage(t *testing.T) {
	dir, err := filepath.Abs("../../testdata/go1.27")
	if err != nil {
		t.Fatal(err)
	}
	tool, err := gotool.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	program, err := analysis.Load(t.Context(), tool, analysis.Target{Dir: dir, Package: "."})
	if err != nil {
		t.Fatal(err)
	}
	n, err := analysis.Narrow(t.Context(), program)
	if err != nil {
		t.Fatal(err)
	}
	hooked := instrument.Program(tool.GOROOT, program, n)
	files := hooked.Hooks
	for name, text := range hooked.Files {
		files[name] = text
	}
	h, err := noise.New(noise.Config{Tool: tool, Program: program, NoRace: true, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	b, err := h.Build(t.Context(), noise.Noised, files)
	if err != nil {
		t.Fatal(err)
	}
	log := filepath.Join(t.TempDir(), "log")
	if err := interleave.MakeLog(log); err != nil {
		t.Fatal(err)
	}
	o, err := h.Run(t.Context(), b, noise.RunOptions{Quiet: true, Env: []string{hook.LogEnv + "=" + log}})
	if err != nil || !o.Pass {
		t.Fatalf("%v, %v\n%s", o.Failures, err, o.Output)
	}
	trace, err := interleave.ReadLog(log)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[uint32]bool{}
	for _, e := range trace.Events {
		seen[e.Site] = true
	}
	starts := 0
	for i, site := range hooked.Sites {
		if site.Operation != "go" {
			continue
		}
		if starts++; !seen[uint32(i+1)] {
			t.Errorf("nothing is recorded at %v, %s", site, site.Operand)
		}
	}
	if starts < 7 {
		t.Errorf("%d go statements are known", starts)
	}
}

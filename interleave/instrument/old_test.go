package instrument_test

import (
	"os"
	"path/filepath"
	"testing"

	"mendel/analysis"
	"mendel/fitness/noise"
	"mendel/interleave"
	"mendel/interleave/hook"
	"mendel/interleave/instrument"
	"mendel/internal/gotool"
	"mendel/internal/sample"
)

// old is written in Go 1.16: without generic functions, with interfaces as keys of maps,
// and with loops whose iterations have the same variable.
const old = `package p

import (
	"sync/atomic"
	"testing"
)

type box struct {
	byKey map[interface{}]int
	n     int32
}

func (b *box) fill(add func(*int32, int32) int32) {
	for i := 0; i < 3; i++ {
		defer func() { b.byKey[i]++ }()
		add(&b.n, 1)
	}
}

func Test(t *testing.T) {
	b := &box{byKey: map[interface{}]int{}}
	done := make(chan bool)
	go func() { b.fill(atomic.AddInt32); done <- true }()
	<-done
	if b.byKey[3] != 3 || atomic.LoadInt32(&b.n) != 3 {
		t.Error(b)
	}
}
`

// TestOld: files of earlier versions of the language build with hooks and mean what they
// did; accesses of maps with interfaces as keys are recorded.
func TestOld(t *testing.T) {
	for _, version := range sample.Of(1, []string{"1.16", "1.19", "1.20"}) {
		t.Run(version, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range map[string]string{"go.mod": "module example.com/p\n\ngo " + version + "\n", "p_test.go": old} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			recordsMap(t, dir)
		})
	}
}

func recordsMap(t *testing.T, dir string) {
	t.Helper()
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
	h, err := noise.New(noise.Config{Tool: tool, Program: program, NoRace: true, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	trace := recorded(t, h, hooked)
	for i, site := range hooked.Sites {
		if site.Operand == "b.byKey" && !trace[uint32(i+1)] {
			t.Errorf("nothing is recorded at %v:%d, %s", site, site.Column, site.Operation)
		}
	}
	if len(trace) == 0 {
		t.Error("nothing is recorded")
	}
}

// recorded are the sites of which a run with hooks, which passes, records something.
func recorded(t *testing.T, h *noise.Harness, hooked *instrument.Result) map[uint32]bool {
	t.Helper()
	files := map[string][]byte(hooked.Hooks)
	for name, text := range hooked.Files {
		files[name] = text
	}
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
	return seen
}

package instrument_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"mendel/analysis"
	"mendel/analysis/analysistest"
	"mendel/fitness/noise"
	"mendel/interleave"
	"mendel/interleave/hook"
	"mendel/interleave/instrument"
	"mendel/internal/gotool"
)

var update = flag.Bool("update", false, "write the golden files anew")

// uses is the test of the archives' program: what its functions return does not
// depend on whether they have hooks.
const uses = `package p

import "testing"

func Test(t *testing.T) {
	for _, c := range []struct{ name string; got, want int }{
		{"access", accessTwice(), 53}, {"channels", channels(), 37}, {"locks", lockTwice(), 19}, {"start", start(), 78}, {"values", valuesTwice(), 10},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.got != c.want {
				t.Errorf("%d, want %d", c.got, c.want)
			}
		})
	}
}
`

// A subject is the program of the archives.
type subject struct {
	tool    *gotool.Toolchain
	program *analysis.Program
	hooked  *instrument.Result
}

// load makes one package of the first files of all archives.
func load(t *testing.T, archives map[string]*txtar.Archive) *subject {
	t.Helper()
	dir := t.TempDir()
	files := map[string]string{"go.mod": "module example.com/p\n\ngo 1.26\n", "p_test.go": uses}
	for name, a := range archives {
		files[name+".go"] = string(a.Files[0].Data)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	s := &subject{}
	var err error
	if s.tool, err = gotool.Open(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	if s.program, err = analysistest.Load(t.Context(), s.tool, analysis.Target{Dir: dir, Package: "."}); err != nil {
		t.Fatal(err)
	}
	n, err := analysis.Narrow(t.Context(), s.program)
	if err != nil {
		t.Fatal(err)
	}
	s.hooked = instrument.Program(s.tool.GOROOT, s.program, n)
	return s
}

// The text of rewritten files, of which every line stays in its place. That they mean
// the same is seen by running them, with hooks and without: all subtests pass, and
// what is in a place at which something is recorded was recorded.
func TestGolden(t *testing.T) {
	names, err := filepath.Glob("testdata/golden/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	archives := map[string]*txtar.Archive{}
	for _, name := range names {
		a, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		archives[strings.TrimSuffix(filepath.Base(name), ".txtar")] = a
	}
	s := load(t, archives)
	for name, a := range archives {
		in, out := a.Files[0], []byte(nil)
		for file, text := range s.hooked.Files {
			if filepath.Base(file) == name+".go" {
				out = text
			}
		}
		if a, b := strings.Count(string(in.Data), "\n"), strings.Count(string(out), "\n"); a != b {
			t.Errorf("%s: %d lines become %d", name, a, b)
		}
		want := txtar.Format(&txtar.Archive{Files: []txtar.File{in, {Name: "out.go", Data: out}}})
		if *update {
			if err := os.WriteFile("testdata/golden/"+name+".txtar", want, 0o666); err != nil {
				t.Fatal(err)
			}
		} else if diff := cmp.Diff(string(txtar.Format(a)), string(want)); diff != "" {
			t.Errorf("%s: -want +got (write it with -update):\n%s", name, diff)
		}
	}
	s.run(t)
}

// silent are places in the archives at which nothing is recorded: the select takes
// another case, the condition holds, or the test may end before.
var silent = map[string]bool{
	"channels.go receive quit": true, "channels.go receive quitting(quit)": true, "channels.go receive next()": true, "channels.go send next()": true,
	"locks.go Cond.Wait g.cond": true, "start.go WaitGroup.Wait g": true,
}

// run runs the program with hooks and without.
func (s *subject) run(t *testing.T) {
	h, err := noise.New(noise.Config{Tool: s.tool, Program: s.program, NoRace: true, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	log := filepath.Join(t.TempDir(), "log")
	if err := interleave.MakeLog(log); err != nil {
		t.Fatal(err)
	}
	files := s.hooked.Hooks
	for name, text := range s.hooked.Files {
		files[name] = text
	}
	for _, c := range []struct {
		mode  noise.Mode
		files map[string][]byte
	}{{noise.Plain, nil}, {noise.Noised, files}} {
		b, err := h.Build(t.Context(), c.mode, c.files)
		if err != nil {
			t.Fatal(err)
		}
		o, err := h.Run(t.Context(), b, noise.RunOptions{Quiet: true, Env: []string{hook.LogEnv + "=" + log}})
		if err != nil || !o.Pass {
			t.Fatalf("hooks %v: %v, %v\n%s", c.files != nil, o.Failures, err, o.Output)
		}
	}
	trace, err := interleave.ReadLog(log)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[uint32]bool{}
	for _, e := range trace.Events {
		seen[e.Site] = true
	}
	for i, site := range s.hooked.Sites {
		what := fmt.Sprint(site.File, " ", site.Operation, " ", site.Operand)
		if !seen[uint32(i+1)] && !silent[what] && !site.Test {
			t.Errorf("nothing is recorded at %v:%d, %s", site, site.Column, what)
		}
	}
	if !slices.ContainsFunc(trace.Events, func(e hook.Event) bool { return e.Kind == hook.OnceEnd }) {
		t.Error("the end of a Once's function is not recorded")
	}
}

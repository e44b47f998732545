package instrument

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/tools/txtar"

	"mendel/analysis"
	"mendel/internal/gotool"
)

// extract writes an archive's files to a temporary directory.
func extract(t *testing.T, archive *txtar.Archive) string {
	t.Helper()
	dir := t.TempDir()
	for _, f := range archive.Files {
		write(t, filepath.Join(dir, filepath.FromSlash(f.Name)), f.Data)
	}
	return dir
}

func write(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, data, 0o666); err != nil {
		t.Fatal(err)
	}
}

// A subject is a loaded program and what instruments it.
type subject struct {
	tool    *gotool.Toolchain
	program *analysis.Program
	in      *Instrumenter
}

func load(t *testing.T, dir, pkg string) *subject {
	t.Helper()
	tool, err := gotool.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	p, err := analysis.Load(t.Context(), tool, analysis.Target{Dir: dir, Package: pkg})
	if err != nil {
		t.Fatal(err)
	}
	in, err := New(p, tool.GOROOT, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return &subject{tool, p, in}
}

// overlay instruments the subject.
func (s *subject) overlay(t *testing.T, files map[string][]byte) (gotool.Overlay, []Uncontrolled) {
	t.Helper()
	o, problems, err := s.in.Overlay(files)
	if err != nil {
		t.Fatal(err)
	}
	return o, problems
}

// output builds the subject's tests under an overlay and runs them.
func (s *subject) output(t *testing.T, o gotool.Overlay, args ...string) (string, int) {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "x.test")
	err := s.tool.BuildTest(t.Context(), gotool.BuildOptions{
		Package: s.program.Target.Package, Output: binary, Overlay: o,
	})
	if err != nil {
		for name, text := range o {
			if s.program.File(name) != nil {
				t.Logf("%s:\n%s", name, text)
			}
		}
		t.Fatal(err)
	}
	result, err := gotool.Run(t.Context(), gotool.RunOptions{Path: binary, Args: args, Dir: s.tool.Dir})
	if err != nil {
		t.Fatal(err)
	}
	return string(result.Output), result.ExitCode
}

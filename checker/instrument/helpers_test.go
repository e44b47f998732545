package instrument

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"golang.org/x/tools/txtar"

	"mendel/analysis"
	"mendel/analysis/analysistest"
	"mendel/checker/instrument/effects"
	"mendel/internal/gotool"
	"mendel/internal/sample"
)

// extract writes an archive's files to a temporary directory.
func extract(t testing.TB, archive *txtar.Archive) string {
	t.Helper()
	dir := t.TempDir()
	for _, f := range archive.Files {
		write(t, filepath.Join(dir, filepath.FromSlash(f.Name)), f.Data)
	}
	return dir
}

// eachArchive runs a test of each archive below testdata that a pattern names.
func eachArchive(t *testing.T, part int, pattern string, f func(t *testing.T, file string, archive *txtar.Archive)) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", pattern))
	if err != nil || len(files) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, file := range sample.Of(part, files) {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range archive.Files {
				if _, version, ok := strings.Cut(string(f.Data), "\ngo "); ok && f.Name == "go.mod" {
					version, _, _ = strings.Cut(version, "\n")
					needs(t, version)
				}
			}
			f(t, file, archive)
		})
	}
}

// needs skips a test of a language that is newer than that of the Go that runs it.
func needs(t *testing.T, version string) {
	t.Helper()
	tool := gotool.Toolchain{Version: runtime.Version()}
	if err := tool.CheckLanguage(t.Name(), "go"+version); err != nil {
		t.Skip(err)
	}
}

func write(t testing.TB, name string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, data, 0o666); err != nil {
		t.Fatal(err)
	}
}

// runtimeSources are those of the runtime, with a driver that leaves tests to
// package testing.
func runtimeSources(t *testing.T) fs.FS {
	t.Helper()
	sources := fstest.MapFS{}
	real := os.DirFS("..")
	for _, dir := range runtimeDirs {
		if dir == "driver" {
			continue
		}
		err := fs.WalkDir(real, dir, func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			data, err := fs.ReadFile(real, name)
			sources[name] = &fstest.MapFile{Data: data}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile("testdata/fake/driver.go")
	if err != nil {
		t.Fatal(err)
	}
	sources["driver/driver.go"] = &fstest.MapFile{Data: data}
	return sources
}

// A subject is a loaded program and what instruments it.
type subject struct {
	tool    *gotool.Toolchain
	program *analysis.Program
	in      *Instrumenter
}

func load(t *testing.T, dir, pkg string, dependencies ...string) *subject {
	t.Helper()
	tool, err := gotool.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	p, err := analysistest.Load(t.Context(), tool, analysis.Target{Dir: dir, Package: pkg, Instrument: dependencies})
	if err != nil {
		t.Fatal(err)
	}
	modFile := filepath.Join(tool.ModuleDir, "go.mod")
	if tool.Workspace != "" {
		modFile = tool.Workspace
	}
	in, err := New(p, tool.GOROOT, runtimeSources(t), Options{Instrument: dependencies, ModFile: modFile, Library: effects.Nearest(tool.Version)})
	if err != nil {
		t.Fatal(err)
	}
	return &subject{tool, p, in}
}

// overlay instruments the subject.
func (s *subject) overlay(t *testing.T, files map[string][]byte) (gotool.Overlay, []Uncontrolled) {
	t.Helper()
	r, err := s.in.Rewrite(files)
	if err != nil {
		t.Fatal(err)
	}
	return r.Overlay, r.Uncontrolled
}

// build builds the subject's tests under an overlay.
func (s *subject) build(t *testing.T, o gotool.Overlay) string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "x.test")
	err := s.tool.BuildTest(t.Context(), gotool.BuildOptions{
		Package: s.program.Target.Package, Output: binary, Overlay: o,
	})
	if err != nil {
		for name, text := range o {
			if s.program.File(name) != nil || strings.Contains(name, "zz") {
				t.Logf("%s:\n%s", name, text)
			}
		}
		t.Fatal(err)
	}
	return binary
}

// output builds the subject's tests under an overlay and runs them.
func (s *subject) output(t *testing.T, o gotool.Overlay, args ...string) (string, int) {
	t.Helper()
	result, err := gotool.Run(t.Context(), gotool.RunOptions{
		Path: s.build(t, o), Args: args, Dir: s.tool.Dir, Timeout: 10 * time.Minute, // that of go test
	})
	if err != nil {
		t.Fatal(err)
	}
	return string(result.Output), result.ExitCode
}

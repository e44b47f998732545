package instrument

import (
	"encoding/json"
	"flag"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"mendel/internal/sample"
)

// Real packages that are full of concurrency build when they are rewritten,
// and pass their own tests outside control. mendel-bench modules runs the tests of all
// packages of these modules, and of others, under control.
func TestRealPackages(t *testing.T) {
	sample.Whole(t, "TestErrgroup has one of them under control")
	for _, c := range []struct {
		module, version string
		packages        []string
	}{
		{"github.com/sourcegraph/conc", "v0.3.0", []string{"pool", "stream"}},
		{"golang.org/x/sync", "v0.24.0", []string{"errgroup", "singleflight"}},
	} {
		for _, pkg := range c.packages {
			t.Run(c.module+"/"+pkg, func(t *testing.T) {
				t.Parallel()
				s := load(t, copied(t, c.module, c.version), "./"+pkg)
				o, _ := s.overlay(t, nil)
				out, code := s.output(t, o, "-test.short", "-test.run=^Test")
				if code != 0 || !strings.Contains(out, "PASS") {
					t.Errorf("exit %d:\n%s", code, out)
				}
			})
		}
	}
}

// copied is a copy of a module, which is downloaded if need be.
func copied(t *testing.T, module, version string) string {
	t.Helper()
	cmd := exec.Command("go", "mod", "download", "-json", module+"@"+version)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %v\n%s%s", cmd, err, out, &stderr)
	}
	var m struct{ Dir string }
	if err := json.Unmarshal(out, &m); err != nil {
		t.Fatal(err)
	}
	return copyTree(t, m.Dir)
}

func copyTree(t testing.TB, from string) string {
	t.Helper()
	archive := new(txtar.Archive)
	err := filepath.WalkDir(from, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, name)
		archive.Files = append(archive.Files, txtar.File{Name: filepath.ToSlash(rel), Data: data})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return extract(t, archive)
}

var allSubjects = flag.Bool("all-subjects", false, "build all corrected subjects, and not only some")

// someSubjects are those that together use more than locks: channels, select, atomics, time,
// Once, the runtime.
var someSubjects = []string{"cache4j", "jobqueue", "listener", "stream"}

// The corrected subjects build and pass. With -all-subjects, which .ci/toolchains --whole
// gives, these are all that there are.
func TestSubjects(t *testing.T) {
	dirs, err := filepath.Glob("../../subjects/*/testdata/fixed")
	if err != nil || len(dirs) == 0 {
		t.Fatalf("no subjects: %v", err)
	}
	some := sample.Of(1, someSubjects)
	built := 0
	for _, dir := range dirs {
		name := filepath.Base(filepath.Dir(filepath.Dir(dir)))
		if !*allSubjects && !slices.Contains(some, name) {
			continue
		}
		built++
		t.Run(name, func(t *testing.T) {
			s := load(t, copyTree(t, dir), ".")
			o, problems := s.overlay(t, nil)
			for _, u := range problems {
				t.Error(u)
			}
			out, code := s.output(t, o)
			if code != 0 || !strings.Contains(out, "PASS") {
				t.Errorf("exit %d:\n%s", code, out)
			}
		})
	}
	if built < len(some) {
		t.Errorf("%d subjects were built, want those of %q at least", built, some)
	}
}

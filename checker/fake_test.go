//go:build unix

package checker

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"mendel/analysis"
	"mendel/checker/wire"
	"mendel/internal/gotool"
	"mendel/internal/lean"
)

// fake is the binary that answers as the names of tests tell it to, built on
// first use.
var fake struct {
	dir, goroot string
	err         error
	once        sync.Once
}

func TestMain(m *testing.M) {
	lean.Children()
	code := m.Run()
	if fake.dir != "" {
		os.RemoveAll(fake.dir)
	}
	os.Exit(code)
}

func buildFake() error {
	var err error
	if fake.dir, err = os.MkdirTemp("", "fake-"); err != nil {
		return err
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return err
	}
	fake.goroot = strings.TrimSpace(string(root))
	if out, err := exec.Command("go", "build", "-o", fake.dir, "./testdata/fake").CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
}

// handmade is a program of one package with these tests, not loaded.
func handmade(t testing.TB, tests ...string) *analysis.Program {
	t.Helper()
	text := "package fake\n\nimport \"testing\"\n"
	for _, name := range tests {
		text += fmt.Sprintf("\nfunc %s(t *testing.T) {}\n", name)
	}
	dir := t.TempDir()
	return programOf(t, dir, map[string]string{"fake_test.go": text})
}

// faked is a binary that behaves as the names of tests say.
func faked(t testing.TB, workers int, tests ...string) *Binary {
	t.Helper()
	fake.once.Do(func() { fake.err = buildFake() })
	if fake.err != nil {
		t.Fatal(fake.err)
	}
	dir, remove, err := gotool.TempDir()
	if err != nil {
		t.Fatal(err)
	}
	b := &Binary{path: filepath.Join(dir, "fake"), checker: &Checker{
		c:      Config{Tool: &gotool.Toolchain{GOROOT: fake.goroot}, Program: handmade(t, tests...), Workers: workers},
		slots:  make(chan struct{}, workers),
		dir:    dir,
		remove: remove,
	}}
	if err := os.Symlink(filepath.Join(fake.dir, "fake"), b.path); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		left, err := filepath.Glob(filepath.Join(dir, "p*"))
		if err != nil || len(left) > 0 {
			t.Errorf("processes left %v (%v)", left, err)
		}
		if err := b.checker.Close(); err != nil {
			t.Error(err)
		}
	})
	return b
}

// requests are those that the fake was given so far.
func (b *Binary) requests(t testing.TB) []wire.Request {
	t.Helper()
	file, err := os.Open(b.path + ".log")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var all []wire.Request
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var r wire.Request
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		all = append(all, r)
	}
	return all
}

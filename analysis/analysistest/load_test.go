package analysistest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"mendel/analysis"
	"mendel/internal/gotool"
)

// A module with internal and external tests, a helper that imports what is tested, a package
// that only tests import, and files that are not of this system.
const modules = `
-- go.mod --
module example.com/bank.v1

go 1.25
-- account/account.go --
package account

import "sync"

type Account struct {
	mu sync.Mutex
	n  int
}

func (a *Account) Add(n int) { a.mu.Lock(); a.n += n; a.mu.Unlock() }
-- account/odd_plan9.go --
package account

import "none/such"
-- account/account_test.go --
package account

import (
	"net/http"
	"testing"

	"example.com/bank.v1/wait"
)

func (a *Account) balance() int { return a.n }

func TestAdd(t *testing.T) { wait.For(func() { new(Account).Add(http.StatusOK) }) }
-- account/outside_test.go --
package account_test

import (
	"testing"

	"example.com/bank.v1/audit"
)

func TestAudit(t *testing.T) { audit.All() }
-- audit/audit.go --
package audit

import "example.com/bank.v1/account"

func All() { new(account.Account).Add(1) }
-- wait/wait.go --
package wait

import "time"

func For(f func()) { time.AfterFunc(time.Second, f) }
-- root.go --
package bank

import _ "unsafe"
`

// written are the files of an archive, in a directory.
func written(t *testing.T, text string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range txtar.Parse([]byte(text)).Files {
		name := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// loaded describes what is loaded.
func loaded(p *analysis.Program, err error) string {
	if err != nil {
		return "error: " + err.Error()
	}
	var b strings.Builder
	for _, pkg := range p.Packages {
		fmt.Fprintf(&b, "%s %s %s\n", pkg.Path, pkg.Dir, pkg.Types.GoVersion())
		for _, f := range pkg.Files {
			fmt.Fprintf(&b, "\t%s %v %v\n", f.Rel, f.Test, f.Package == pkg)
		}
		scope := pkg.Types.Scope()
		for _, name := range scope.Names() {
			fmt.Fprintf(&b, "\t%v\n", scope.Lookup(name))
		}
	}
	fmt.Fprintln(&b, p.Module, p.Network, len(p.Dependencies))
	for _, name := range p.Library() {
		fmt.Fprintln(&b, name)
	}
	return b.String()
}

// A program is that of the go command, and so is an error.
func TestLoad(t *testing.T) {
	dir := written(t, modules)
	tool, err := gotool.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	for target, plain := range map[string]bool{"./account": true, ".": true, "./audit": true, "./none": true, "example.com/bank.v1/wait": false} {
		t.Run(target, func(t *testing.T) {
			target := analysis.Target{Dir: dir, Package: target}
			if got := listingOf(tool, target) != nil; got != plain {
				t.Errorf("it is read here: %v, want %v", got, plain)
			}
			got := loaded(Load(t.Context(), tool, target))
			want := loaded(analysis.Load(t.Context(), tool, target))
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("-go command +here:\n%s", diff)
			}
		})
	}
}

// What needs more than the library, or is built in another way, is left to the go command.
func TestLeftToTheGoCommand(t *testing.T) {
	tool, err := gotool.Open(t.Context(), written(t, modules))
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		tool   *gotool.Toolchain
		files  string
		change func(*analysis.Target)
	}{
		"requirement":       {files: "-- go.mod --\nmodule example.com/m\n\nrequire example.org/x v1.0.0\n"},
		"replacement":       {files: "-- go.mod --\nmodule example.com/m\n\nreplace example.org/x => ./x\n"},
		"toolchain":         {files: "-- go.mod --\nmodule example.com/m\n\ngo 1.25\n\ntoolchain go1.25.5\n"},
		"vendored":          {files: "-- go.mod --\nmodule example.com/m\n-- vendor/modules.txt --\n"},
		"workspace":         {files: "-- go.mod --\nmodule example.com/m\n-- go.work --\ngo 1.25\n"},
		"no module":         {files: "-- a.go --\npackage a\n"},
		"flags":             {files: modules, change: func(t *analysis.Target) { t.Flags = []string{"-tags=x"} }},
		"overlay":           {files: modules, change: func(t *analysis.Target) { t.Overlay = map[string][]byte{"/a.go": nil} }},
		"pattern":           {files: modules, change: func(t *analysis.Target) { t.Package = "./..." }},
		"another toolchain": {files: modules, tool: &gotool.Toolchain{Version: "go1.2"}},
	} {
		t.Run(name, func(t *testing.T) {
			target := analysis.Target{Dir: written(t, test.files), Package: "."}
			if test.change != nil {
				test.change(&target)
			}
			if listingOf(test.tool, target) != nil {
				t.Error("it is read here")
			}
		})
	}
	if listingOf(tool, analysis.Target{Dir: tool.Dir, Flags: []string{"-gcflags=-l", "-trimpath"}}) == nil {
		t.Error("with flags for the compiler alone, it is not read here")
	}
	t.Setenv("GOFLAGS", "-tags=x")
	if listingOf(tool, analysis.Target{Dir: tool.Dir}) != nil {
		t.Error("in a changed environment, it is read here")
	}
}

// A package with more than Go in it is no plain one.
func TestReadRefuses(t *testing.T) {
	for name, text := range map[string]string{
		"cgo":      "-- a.go --\npackage a\n\nimport \"C\"\n",
		"assembly": "-- a.go --\npackage a\n-- a.s --\n",
		"embedded": "-- a.go --\npackage a\n\nimport _ \"embed\"\n\n//go:embed a.go\nvar s string\n",
	} {
		if p, err := read(written(t, text)); err == nil {
			t.Errorf("%s: %v is read", name, slices.Concat(p.GoFiles, p.CgoFiles))
		}
	}
}

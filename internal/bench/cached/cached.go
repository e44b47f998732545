package cached

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"mendel/internal/bench/commands"
)

// A Module is one of others whose tests are correct, at an exact version.
type Module struct {
	Path, Version string
	Packages      []string // directories, "." the root; nil: all with tests
}

// Modules are widely used libraries whose tests start goroutines.
func Modules() []Module {
	return []Module{
		{"golang.org/x/sync", "v0.24.0", []string{"errgroup", "semaphore", "singleflight"}},
		{"github.com/sourcegraph/conc", "v0.3.0", nil},
		{"github.com/hashicorp/golang-lru/v2", "v2.0.7", nil},
	}
}

// Name is the module's path with its version.
func (m Module) Name() string { return m.Path + "@" + m.Version }

// Fetch copies the module from the module cache into a directory, and returns
// the directories of its packages. It downloads the module if the cache lacks
// it, and the modules that its tests need.
func (m Module) Fetch(ctx context.Context, to string) ([]string, error) {
	// The first may print progress, which would spoil the second's JSON.
	if _, err := commands.Go(ctx, ".", "mod", "download", m.Name()); err != nil {
		return nil, err
	}
	out, err := commands.Go(ctx, ".", "mod", "download", "-json", m.Name())
	if err != nil {
		return nil, err
	}
	var found struct{ Dir string }
	if err := json.Unmarshal(out, &found); err != nil {
		return nil, fmt.Errorf("go mod download -json %s: %w", m.Name(), err)
	}
	if err := os.CopyFS(to, os.DirFS(found.Dir)); err != nil {
		return nil, fmt.Errorf("copy %s: %w", m.Name(), err)
	}
	if _, err := commands.Go(ctx, to, "mod", "download"); err != nil {
		return nil, err
	}
	if m.Packages != nil {
		return m.Packages, nil
	}
	return packagesWithTests(to)
}

// packagesWithTests lists the directories below a module's that have test
// files, slash-separated, "." the module's own; nested modules, testdata and
// what the go command passes over are left out.
func packagesWithTests(module string) ([]string, error) {
	found := map[string]bool{}
	err := fs.WalkDir(os.DirFS(module), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if !d.IsDir() {
			if strings.HasSuffix(name, "_test.go") {
				found[path.Dir(name)] = true
			}
			return nil
		}
		base := d.Name()
		if name == "." {
			return nil
		}
		if base == "testdata" || base == "vendor" || strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") {
			return fs.SkipDir
		}
		if _, err := os.Stat(filepath.Join(module, filepath.FromSlash(name), "go.mod")); err == nil {
			return fs.SkipDir
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("list the packages below %s: %w", module, err)
	}
	return slices.Sorted(maps.Keys(found)), nil
}

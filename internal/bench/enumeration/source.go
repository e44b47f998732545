package enumeration

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"mendel/analysis"
	"mendel/internal/bench/commands"
)

// A Source is where a program comes from, and which of its packages to load: it
// comes with all packages of the module that it needs.
type Source struct {
	Name    string // for people; "": Module and Version
	Module  string // path of a module to fetch; "": Dir
	Version string // of Module, exact
	// Dir is that of a module. "std" is the standard library: the package is copied to
	// a module of its own, with the internal packages that it needs.
	Dir     string
	Package string // pattern of one package; "": the module's root
}

func (s Source) String() string {
	if s.Name != "" {
		return s.Name
	}
	return s.Module + "@" + s.Version
}

// Load loads the program. A fetched module is copied below a directory, without
// its tests; any other is read where it is, with the package's own tests.
func (s Source) Load(ctx context.Context, below string) (*analysis.Program, error) {
	dir, err := s.find(ctx, below)
	if err != nil {
		return nil, err
	}
	return s.load(ctx, dir)
}

// find is the directory that the program is in, absolute. A copy that an earlier
// call has made is taken as it is.
func (s Source) find(ctx context.Context, below string) (string, error) {
	dir := s.Dir
	switch {
	case s.Module != "":
		dir = filepath.Join(below, strings.NewReplacer("/", "_", "@", "_").Replace(s.String()))
		if _, err := os.Stat(dir); err == nil {
			break
		}
		if err := s.fetch(ctx, dir); err != nil {
			return "", err
		}
	case dir == "std":
		dir = filepath.Join(below, strings.ReplaceAll(s.String(), "/", "_"))
		if err := s.copyStandard(ctx, dir); err != nil {
			return "", err
		}
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("find %s: %w", s, err)
	}
	return dir, nil
}

func (s Source) load(ctx context.Context, dir string) (*analysis.Program, error) {
	pkg := s.Package
	if s.Dir == "std" {
		pkg = "." // of the copy
	}
	p, err := analysis.Load(ctx, nil, analysis.Target{Dir: dir, Package: pkg})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s, err)
	}
	return p, nil
}

// fetch copies the module from the module cache, which the go command fills if
// it must, to a directory.
func (s Source) fetch(ctx context.Context, to string) error {
	at := s.Module + "@" + s.Version
	// The first may print progress, which would spoil the second's JSON.
	if _, err := commands.Go(ctx, ".", "mod", "download", at); err != nil {
		return err
	}
	out, err := commands.Go(ctx, ".", "mod", "download", "-json", at)
	if err != nil {
		return err
	}
	var cached struct{ Dir string }
	if err := json.Unmarshal(out, &cached); err != nil {
		return fmt.Errorf("go mod download -json %s: %w", at, err)
	}
	if err := copyWithoutTests(to, cached.Dir); err != nil {
		return fmt.Errorf("copy %s: %w", at, err)
	}
	return nil
}

// copyWithoutTests copies a module's files, but for tests and nested modules.
func copyWithoutTests(to, from string) error {
	source := os.DirFS(from)
	return fs.WalkDir(source, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		target := filepath.Join(to, filepath.FromSlash(name))
		switch {
		case d.IsDir() && name != "." && (d.Name() == "testdata" || hasFile(source, path.Join(name, "go.mod"))):
			return fs.SkipDir
		case d.IsDir():
			return os.MkdirAll(target, 0o777)
		case !d.Type().IsRegular() || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		data, err := fs.ReadFile(source, name)
		if err != nil {
			return err
		}
		return os.WriteFile(target, data, 0o666)
	})
}

func hasFile(in fs.FS, name string) bool {
	_, err := fs.Stat(in, name)
	return !errors.Is(err, fs.ErrNotExist)
}

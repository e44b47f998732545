package objections

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"mendel/analysis"
	"mendel/internal/bench/identity"
	"mendel/internal/bench/programs"
	"mendel/internal/bench/tables"
	"mendel/internal/change"
	"mendel/internal/gotool"
	"mendel/mutate"
	"mendel/validate"
)

// truthDir is where a module keeps its patches.
const truthDir = "truth"

// Options say whose patches are read.
type Options struct {
	Dir     string   // has the modules
	Only    []string // names of modules; none: all
	Out     string   // directory of objections.json and objections.md; "": print only
	Command string   // to type, for the report
}

// Run reads all patches and prints what is said against them.
func Run(ctx context.Context, o Options, stdout, stderr io.Writer) (err error) {
	names, err := modules(o.Dir, o.Only)
	if err != nil {
		return err
	}
	if err := tables.MakeOut(o.Out); err != nil {
		return err
	}
	dir, remove, err := gotool.TempDir()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, remove()) }()
	r := &objectionReport{}
	if r.Mendel, err = identity.Mendel(); err != nil {
		return err
	}
	var broken error
	for _, name := range names {
		fmt.Fprintln(stderr, name)
		if broken = r.module(ctx, filepath.Join(o.Dir, name), filepath.Join(dir, name)); broken != nil {
			break
		}
	}
	return tables.Finish(r, stdout, tables.Files{Dir: o.Out, Name: "objections", Command: o.Command}, broken)
}

// modules are the names of the directories with patches.
func modules(dir string, only []string) (names []string, err error) {
	if dir == "" {
		return nil, errors.New("name the directory of the modules by --modules")
	}
	found, err := filepath.Glob(filepath.Join(dir, "*", truthDir))
	if err != nil {
		return nil, err
	}
	for _, f := range found {
		if name := filepath.Base(filepath.Dir(f)); len(only) == 0 || slices.Contains(only, name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 || len(only) > len(names) {
		return nil, fmt.Errorf("%s has %d of the modules that are asked for: each is a directory with a directory %s in it", dir, len(names), truthDir)
	}
	return names, nil
}

// module reads the patches of a module, in a copy of it.
func (r *objectionReport) module(ctx context.Context, source, copied string) error {
	if err := programs.Copy(copied, source); err != nil {
		return err
	}
	if err := os.RemoveAll(filepath.Join(copied, truthDir)); err != nil {
		return err
	}
	tool, err := gotool.Open(ctx, copied)
	if err != nil {
		return err
	}
	p, err := analysis.Load(ctx, tool, analysis.Target{Dir: copied, Package: "."})
	if err != nil {
		return fmt.Errorf("load %s: %w", source, err)
	}
	truth, err := readTruth(filepath.Join(source, truthDir))
	if err != nil {
		return err
	}
	for _, patch := range truth {
		row := judged{Module: filepath.Base(source), Patch: patch.name, Right: patch.right, Passes: patch.passes}
		if err := row.read(ctx, p, copied, patch.text); err != nil {
			return fmt.Errorf("%s, %s: %w", source, patch.name, err)
		}
		r.Patches = append(r.Patches, row)
	}
	return nil
}

// A truth is a patch of which it is known whether it is right.
type truth struct {
	name          string // "wrong/half"
	text          []byte
	right, passes bool
}

// readTruth reads a module's patches, the right ones first.
func readTruth(dir string) (all []truth, err error) {
	passing, err := passing(dir)
	if err != nil {
		return nil, err
	}
	for _, pattern := range []string{"fix.patch", "alt/*.patch", "wrong/*.patch"} {
		files, err := filepath.Glob(filepath.Join(dir, filepath.FromSlash(pattern)))
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				return nil, err
			}
			rel, err := filepath.Rel(dir, file)
			if err != nil {
				return nil, err
			}
			name := filepath.ToSlash(rel)
			all = append(all, truth{strings.TrimSuffix(name, ".patch"), text, !strings.HasPrefix(name, "wrong/"), passing[name]})
		}
	}
	return all, nil
}

// passing are the names of the wrong patches that pass the module's own tests.
func passing(dir string) (map[string]bool, error) {
	text, err := os.ReadFile(filepath.Join(dir, "truth.json"))
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var t struct {
		Wrong []struct {
			Patch   string
			Visible bool
		} `json:"wrong_fixes"`
	}
	if err := json.Unmarshal(text, &t); err != nil {
		return nil, fmt.Errorf("read %s: %w", dir, err)
	}
	found := map[string]bool{}
	for _, w := range t.Wrong {
		found[w.Patch] = w.Visible
	}
	return found, nil
}

// read asks the sources about a patch.
func (row *judged) read(ctx context.Context, p *analysis.Program, dir string, text []byte) error {
	c, err := change.Parse(ctx, row.Patch, text, dir)
	if err != nil {
		return err
	}
	placed, err := c.Place(ctx, dir, filepath.Join(dir, "_original"))
	if err != nil {
		return err
	}
	if placed.Copied {
		return errors.New("the patch adds or removes a file: it is not read")
	}
	m, err := mutate.Given(p, placed.Files)
	if err != nil {
		return err
	}
	said, err := validate.Object(p, m)
	if err != nil {
		return err
	}
	if said.Breach != nil {
		row.Rule = string(said.Breach.Rule)
	}
	for _, f := range said.Flags {
		row.Flags = append(row.Flags, string(f))
	}
	row.Refused, row.Why = said.Refused(), said.Why
	return nil
}

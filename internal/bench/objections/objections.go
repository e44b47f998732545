package objections

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"mendel/analysis"
	"mendel/internal/bench/cases"
	"mendel/internal/bench/identity"
	"mendel/internal/bench/tables"
	"mendel/internal/change"
	"mendel/internal/gotool"
	"mendel/internal/scenario"
	"mendel/mutate"
	"mendel/validate/rules"
)

// Options say whose patches are read.
type Options struct {
	Sets    []string // of programs; none: all
	Only    []string // names of programs; none: all
	Out     string   // directory of objections.json and objections.md; "": print only
	Command string   // to type, for the report
	// Scenarios has each patch tried with scenarios too, for so long; 0: nothing is built or run.
	Scenarios time.Duration
}

// Run reads all patches and prints what is said against them.
func Run(ctx context.Context, o Options, stdout, stderr io.Writer) (err error) {
	chosen, err := cases.Read(o.Sets, o.Only)
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
	for _, p := range chosen {
		fmt.Fprintln(stderr, p.Name)
		if broken = r.program(ctx, p, filepath.Join(dir, p.Name), o.Scenarios); broken != nil {
			break
		}
	}
	return tables.Finish(r, stdout, tables.Files{Dir: o.Out, Name: "objections", Command: o.Command}, broken)
}

// program reads the patches of a program, which is written to a directory.
func (r *objectionReport) program(ctx context.Context, known cases.Program, dir string, scenarios time.Duration) error {
	if err := known.Write(dir); err != nil {
		return err
	}
	tool, err := gotool.Open(ctx, dir)
	if err != nil {
		return err
	}
	p, err := analysis.Load(ctx, tool, analysis.Target{Dir: dir, Package: known.Package()})
	if err != nil {
		return fmt.Errorf("load %s: %w", known.Name, err)
	}
	for _, patch := range known.Truth {
		row := judged{Module: known.Name, Patch: patch.Name, Right: patch.Right, Passes: patch.Passes}
		switch err := row.read(ctx, &tryer{tool, p, scenarios}, dir, []byte(patch.Text)); {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case err != nil: // it imports what the program does not, or adds a file
			row.Unread, _, _ = strings.Cut(err.Error(), "\n")
		}
		r.Patches = append(r.Patches, row)
	}
	return nil
}

// read asks the sources about a patch.
func (row *judged) read(ctx context.Context, try *tryer, dir string, text []byte) error {
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
	m, err := mutate.Given(try.program, placed.Files)
	if err != nil {
		return err
	}
	said, err := rules.Object(try.program, m)
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
	return try.scenarios(ctx, row, placed.Files)
}

// A tryer tries the patches of a program with scenarios.
type tryer struct {
	tool    *gotool.Toolchain
	program *analysis.Program
	budget  time.Duration
}

// scenarios adds to a row what scenarios show.
func (t *tryer) scenarios(ctx context.Context, row *judged, files map[string][]byte) error {
	if t.budget == 0 {
		return nil
	}
	r, err := (&scenario.Trier{Tool: t.tool, Program: t.program, Budget: t.budget}).Try(ctx, files)
	row.Made, row.Scenarios = r.Made, r.Tried
	for _, o := range r.Objections {
		row.Shown = append(row.Shown, o.String())
	}
	return err
}

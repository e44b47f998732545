package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"mendel"
)

// isSeries reports whether package arguments name more than one package, or
// where a repair goes on, whether it is one of several packages.
func isSeries(o mendel.Options, args []string) bool {
	if o.Resume {
		return mendel.HoldsSeries(o.Out)
	}
	return len(args) > 1 || len(args) == 1 && strings.Contains(args[0], "...")
}

// runSeries repairs several packages and prints what became of them.
func runSeries(ctx context.Context, o mendel.Options, f repairFlags, args []string, stdout, stderr io.Writer) error {
	if o.From != "" {
		return errors.New("--from names the failure of one package: repair that package alone")
	}
	var err error
	if o.Out, err = filepath.Abs(o.Out); err != nil {
		return fmt.Errorf("find the output directory: %w", err)
	}
	if o.Dir, args, err = locateAll(f.dir, args); err != nil {
		return err
	}
	o.Verbose, o.NoChecker = f.verbose, !f.checker
	p := newProgress(ctx, stderr, o.Budget)
	o.Observer = p.Observer
	series, err := mendel.RepairAll(ctx, o, args)
	p.Close()
	if series == nil {
		return err
	}
	if perr := printFound(ctx, stdout, series, f.json, func() error { return series.Print(stdout) }); perr != nil {
		return fmt.Errorf("print the result: %w", perr)
	}
	writeReports(stderr, o.Out)
	if err != nil && !isInterrupt(err) {
		return err
	}
	if f.write {
		applied, err := series.Apply(f.force)
		for _, patch := range applied {
			fmt.Fprintf(stderr, "applied %s\n", patch)
		}
		if err != nil {
			return err
		}
	}
	return exitCode(series.Status)
}

// locateAll finds the directory to work in and the patterns there. A single
// "dir/..." is entered, which may be a directory of another module.
func locateAll(chdir string, args []string) (dir string, patterns []string, err error) {
	patterns = args
	if len(args) == 1 {
		if below, ok := strings.CutSuffix(filepath.ToSlash(args[0]), "/..."); ok && isLocal(below) && !strings.Contains(below, "...") {
			dir, _, err = locate(chdir, filepath.FromSlash(below))
			return dir, []string{"./..."}, err
		}
	}
	dir, _, err = locate(chdir, ".")
	return dir, patterns, err
}

package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"github.com/spf13/pflag"

	"mendel"
)

// gateFlags are those of a check of several packages.
type gateFlags struct {
	exclude  []string
	since    string
	shard    string
	baseline string
	write    bool
	strict   bool
}

func (g *gateFlags) add(fs *pflag.FlagSet) {
	fs.StringArrayVar(&g.exclude, "exclude", nil, "leave out packages that match `pattern`; may be given several times")
	fs.StringVar(&g.since, "since", "", "only packages that the change since `revision` can have affected")
	fs.StringVar(&g.shard, "shard", "", "only the part `i/n` of the packages, 1/4 the first of four")
	fs.StringVar(&g.baseline, "baseline", "", "`file` with failures that are known, which do not fail the check")
	fs.BoolVar(&g.write, "write-baseline", false, "write the failures that are seen to the baseline")
	fs.BoolVar(&g.strict, "strict", false, "with several packages, end with exit code 2 if a test cannot be judged")
}

// asked reports whether a flag is given that is for several packages; since is not if it
// says what has changed in one.
func (g *gateFlags) asked(fs *pflag.FlagSet, since bool) bool {
	return since && given(fs, "since") || slices.ContainsFunc([]string{"exclude", "shard", "baseline", "write-baseline", "strict"}, func(name string) bool { return given(fs, name) })
}

// runGate checks several packages and prints what became of them.
func runGate(ctx context.Context, o mendel.CheckOptions, f checkFlags, g gateFlags, args []string, stdout, stderr io.Writer) error {
	shown := o.Out
	var err error
	if o.Out, err = filepath.Abs(o.Out); err != nil {
		return fmt.Errorf("find the output directory: %w", err)
	}
	if o.Dir, args, err = locateAll(f.dir, args); err != nil {
		return err
	}
	p := newProgress(ctx, stderr, o.Budget)
	o.Observer = p.Observer
	s, err := mendel.CheckAll(ctx, mendel.GateOptions{
		Check: o, Patterns: args, Exclude: g.exclude, Since: g.since, Shard: g.shard,
		Baseline: g.baseline, WriteBaseline: g.write, Strict: g.strict,
	})
	p.Close()
	if s == nil {
		return err
	}
	look := mendel.PrintOptions{Width: columns(stdout), Out: shown}
	if perr := printFound(ctx, stdout, s, f.json, func() error { return s.Print(stdout, look) }); perr != nil {
		return fmt.Errorf("print the result: %w", perr)
	}
	if err != nil && !isInterrupt(err) {
		return err
	}
	switch {
	case s.Verdict == mendel.GateFailed:
		return exitError(1)
	case s.Verdict == mendel.GateError || err != nil:
		return exitError(2)
	}
	return nil
}

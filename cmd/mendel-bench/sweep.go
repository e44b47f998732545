package main

import (
	"os"

	"github.com/spf13/cobra"

	"mendel/internal/bench/sweep"
)

func newSweepCommand() *cobra.Command {
	var o sweep.Options
	c := &cobra.Command{
		Use:   "sweep [flags]",
		Short: "enumerate the edits of large programs and build mutants of them",
		Long: `Sweep asks every operator about Mendel itself, packages of the standard library and
modules at exact versions (the go command downloads what is missing). It builds
a sample of the mutants. No operator may panic and every mutant must type-check.
It runs in Mendel's source.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			o.Command = commandLine(os.Args[1:])
			return sweep.Run(c.Context(), o, c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	fs := c.Flags()
	fs.SortFlags = false
	fs.StringSliceVar(&o.Only, "only", nil, "programs whose name contains one of these, comma-separated (default all)")
	fs.IntVar(&o.Edits, "edits", 500, "mutants to build of each program; 0: all")
	fs.BoolVar(&o.Static, "static", false, "take as used concurrently what the static analysis finds, not everything")
	fs.Uint64Var(&o.Seed, "seed", 1, "seed of the sample")
	fs.StringVar(&o.Profile, "profile", "", "write a processor profile to `file`")
	fs.BoolVar(&o.Digests, "digests", false, "print a digest of each program's edits, of the subjects' too, and build nothing")
	fs.StringVar(&o.Subjects, "subjects", "subjects", "`directory` of the subjects")
	fs.StringVarP(&o.Out, "out", "o", "", "write sweep.json and sweep.md to `directory`")
	return c
}

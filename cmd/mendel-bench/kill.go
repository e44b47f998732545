package main

import (
	"os"
	"time"

	"github.com/spf13/cobra"

	"mendel/internal/bench/kill"
)

func newKillCommand() *cobra.Command {
	var o kill.Options
	c := &cobra.Command{
		Use:   "kill [flags]",
		Short: "kill repairs at random moments, resume them, and compare what comes of it",
		Long: `Kill repairs a subject undisturbed, then again and again with the same seed,
each time killing the process (SIGKILL, its own alone) at a random moment and
going on with mendel repair --resume; of each four resumed repairs about one is
killed once more. Each is to end with the fix of the undisturbed ones. No score
in the store may be lost or made again, the database is to be intact, and neither
processes nor temporary files may be left behind.

The moments depend on --seed alone. With --out the results are saved after each
repair, and the same command goes on where it was stopped.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			o.Command = commandLine(os.Args[1:])
			return kill.Run(c.Context(), o, c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	fs := c.Flags()
	fs.SortFlags = false
	fs.StringVar(&o.Subject, "subject", "account", "which subject to repair")
	fs.IntVar(&o.Times, "times", 100, "how many repairs to kill")
	fs.IntVar(&o.Undisturbed, "undisturbed", 3, "how many to leave alone, to compare with")
	fs.Uint64Var(&o.Seed, "seed", 1, "seed of the repairs and of the moments")
	fs.DurationVar(&o.Limit, "budget", 5*time.Minute, "time for one repair")
	fs.IntVar(&o.Workers, "workers", 0, "builds and runs at a time (default: the number of CPUs)")
	fs.StringVar(&o.Mendel, "mendel", "", "kill this `executable` (default: one built from the source here)")
	fs.StringVar(&o.Dir, "subjects", "subjects", "`directory` of the subjects")
	fs.StringVarP(&o.Out, "out", "o", "", "write kill.json and kill.md to `directory`, and go on with what is there")
	return c
}

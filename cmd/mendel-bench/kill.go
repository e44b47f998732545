package main

import (
	"os"
	"time"

	"github.com/spf13/cobra"
)

func newKillCommand() *cobra.Command {
	var o killOptions
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
			o.command = commandLine(os.Args[1:])
			return runKill(c.Context(), o, c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	fs := c.Flags()
	fs.SortFlags = false
	fs.StringVar(&o.subject, "subject", "account", "which subject to repair")
	fs.IntVar(&o.times, "times", 100, "how many repairs to kill")
	fs.IntVar(&o.undisturbed, "undisturbed", 3, "how many to leave alone, to compare with")
	fs.Uint64Var(&o.seed, "seed", 1, "seed of the repairs and of the moments")
	fs.DurationVar(&o.limit, "budget", 5*time.Minute, "time for one repair")
	fs.IntVar(&o.workers, "workers", 0, "builds and runs at a time (default: the number of CPUs)")
	fs.StringVar(&o.mendel, "mendel", "", "kill this `executable` (default: one built from the source here)")
	fs.StringVar(&o.dir, "subjects", "subjects", "`directory` of the subjects")
	fs.StringVarP(&o.out, "out", "o", "", "write kill.json and kill.md to `directory`, and go on with what is there")
	return c
}

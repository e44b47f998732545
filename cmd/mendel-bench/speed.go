package main

import (
	"os"
	"time"

	"github.com/spf13/cobra"

	"mendel/internal/bench/speed"
)

func newSpeedCommand() *cobra.Command {
	var o speed.Options
	c := &cobra.Command{
		Use:   "speed [flags]",
		Short: "measure the checker and the search beside their yardsticks",
		Long: `Speed measures the checker, and the search. Every figure is the median of several rounds, in
which what is compared takes turns. It runs in Mendel's source. The parts are

  steps       a scheduling step beside a bare hand-off over a channel
  rates       schedules per second in one process, on the test of subjects/account
  processors  all schedules of a bound, on one processor and on two
  builds      rewriting and building a changed subject beside go test -c
  bugs        the time to the bug of each subject
  edits       listing the edits of a large module, which the go command downloads
  search      the mutants that a repair scores in a minute of its search, on packages
              of public repositories, beside another version of Mendel (--against)

Search is measured only if --parts names it: each round makes a repair of each package
with each version, which takes --search-budget. Clones are found as mendel-bench real
finds them. A search that ends early, because it has found a fix, tells less.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			o.Command = commandLine(os.Args[1:])
			return speed.Run(c.Context(), o, c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	fs := c.Flags()
	fs.SortFlags = false
	fs.StringSliceVar(&o.Parts, "parts", speed.Usual, "what to measure, comma-separated")
	fs.IntVar(&o.Rounds, "rounds", 5, "how often to measure")
	fs.StringSliceVar(&o.Only, "only", nil, "subjects of builds and bugs, comma-separated (default all)")
	fs.DurationVar(&o.Search, "search", 2*time.Second, "time for a search of rates")
	fs.DurationVar(&o.Limit, "budget", 30*time.Second, "time for a search of bugs or processors")
	fs.Uint64Var(&o.First, "seed", 1, "seed of the first round")
	fs.IntVar(&o.Workers, "workers", 0, "processes at a time of bugs and search (default: the number of CPUs)")
	fs.StringVar(&o.Subjects, "subjects", "subjects", "`directory` of the subjects")
	fs.StringVar(&o.Against, "against", "", "compare search with this `executable`, another version of mendel")
	fs.DurationVar(&o.SearchBudget, "search-budget", 2*time.Minute, "time for one repair of search, from beginning to end")
	fs.StringSliceVar(&o.Bugs, "bugs", speed.Searched, "bugs whose packages search measures, comma-separated, as of mendel-bench real")
	fs.StringVar(&o.Clones, "clones", "", "`directory` of the clones of search")
	fs.StringVarP(&o.Out, "out", "o", "", "write speed.json and speed.md to `directory`")
	return c
}

// Command mendel-bench evaluates Mendel. It repairs and checks programs with known
// bugs and correct ones, and judges the outcome in ways that the repair and the
// checker have no part in.
//
// Usage:
//
//	mendel-bench core [flags]     repair the subjects, verify the patches, compare arms
//	mendel-bench goker [flags]    check, run or repair kernels of real blocking bugs
//	mendel-bench modules [flags]  check the tests of correct libraries
//	mendel-bench speed [flags]    measure the checker
//	mendel-bench localize [flags] measure how near localisation comes to known faults
//	mendel-bench series [flags]   repair several packages at once
//	mendel-bench real [flags]     repair bugs of public repositories
//	mendel-bench verdicts [flags] compare the checker with an enumerator
//	mendel-bench sweep [flags]    enumerate and build the edits of large programs
//	mendel-bench operators [flags] show which operators win where
//	mendel-bench maple [flags]    expose the bugs of Maple's evaluation
//	mendel-bench causal [flags]   count the schedules that class-covering exploration needs
//	mendel-bench predict [flags]  ask the model of one passing run of each subject's tests
//	mendel-bench capp [flags]     compare the modes of change-aware prioritisation
//	mendel-bench incremental [flags] count the schedules that other mutants' count for
//	mendel-bench variants [flags] compare mutants built together with mutants built alone
//	mendel-bench verify [flags]   verify right and wrong patches of the subjects
//	mendel-bench judged [flags]   repair modules and judge the patches by unseen tests
//	mendel-bench objections [flags] tell what sources alone say against patches
//	mendel-bench regress [flags]  make regression tests, and judge them by known patches
//	mendel-bench hostile [flags]  run tests that misbehave
//	mendel-bench kill [flags]     kill repairs and resume them
//
// Each subcommand has a file here, which turns its flags into Options, and a
// package below mendel/internal/bench, which does the work. The subcommand's
// --help and the package's documentation say the rest.
//
//	mendel-bench core --only account,deadlock --seeds 3 --out results
//	mendel-bench core --seeds 10 --arm default,random,population=2 --no-verify --out arms
//	mendel-bench goker --only cockroach10214 --repair
//	mendel-bench modules --only conc/pool --budget 20s
//	mendel-bench speed --parts steps,rates
//	mendel-bench kill --subject jobqueue --times 20 --out killed
//	mendel-bench real --clones clones --only cron-9aa5b7e8 --out patches
//
// With --out a command saves JSON with all data, and Markdown whose head names the
// command and the revision.
//
// Exit codes: 0 all criteria are met; 1 one is not; 2 bad usage or a broken
// environment.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"mendel/internal/bench/tables"
	"mendel/internal/frugal"
	"mendel/internal/gotool"
)

func main() { os.Exit(run()) }

// run is main with its deferred calls done and the exit code as a result.
func run() int {
	if gotool.BeGuard() {
		return 0
	}
	unguard, err := gotool.Guard()
	if err != nil {
		fmt.Fprintln(os.Stderr, "mendel-bench:", err) // a precaution, without which everything works
	} else {
		defer unguard()
	}
	frugal.Heap()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	// A second signal ends the program at once: the first one's handler is gone by then.
	go func() { <-ctx.Done(); stop() }()

	root := &cobra.Command{
		Use:           "mendel-bench",
		Short:         "evaluates Mendel on programs with known bugs and on correct ones",
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          cobra.NoArgs,
		RunE:          func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.CompletionOptions.HiddenDefaultCmd = true
	root.AddCommand(newCoreCommand(), newGokerCommand(), newModulesCommand(), newSpeedCommand(), newHostileCommand(), newKillCommand(), newSeriesCommand(), newRealCommand(), newVerdictsCommand(), newLocalizeCommand(), newSeededCommand(), newSuitesCommand(), newSweepCommand(), newOperatorsCommand(), newMapleCommand(), newCausalCommand(), newPredictCommand(), newCappCommand(), newIncrementalCommand(), newVariantsCommand(), newVerifyCommand(), newJudgedCommand(), newObjectionsCommand(), newRegressCommand())
	err = root.ExecuteContext(ctx)
	switch {
	case err == nil:
		return 0
	case errors.Is(err, tables.ErrNotMet):
		return 1
	}
	fmt.Fprintln(os.Stderr, "mendel-bench:", strings.TrimSpace(err.Error()))
	return 2
}

// commandLine is this process's command, to type again.
func commandLine(args []string) string {
	words := []string{"go run ./cmd/mendel-bench"}
	for _, a := range args {
		if a == "" || strings.ContainsAny(a, " \t\n'\"\\$*?") {
			a = strconv.Quote(a)
		}
		words = append(words, a)
	}
	return strings.Join(words, " ")
}

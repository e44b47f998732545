// Command mendel-bench evaluates Mendel: it repairs and checks programs with
// known bugs and correct ones, and judges the outcome in ways that the repair and
// the checker have no part in.
//
// Usage:
//
//	mendel-bench core [flags]
//	mendel-bench goker [flags]
//	mendel-bench modules [flags]
//	mendel-bench speed [flags]
//	mendel-bench series [flags]
//	mendel-bench hostile [flags]
//	mendel-bench kill [flags]
//
// Core repairs the programs in ./subjects, which are those that CORE (Kelk 2015)
// was evaluated on, each with several seeds, and prints the figures beside
// CORE-IMC's. Each distinct patch is then verified: git applies it to an
// untouched copy, the patched program builds, passes go vet, plain runs, a
// thousand noised runs under the race detector and the checker, no goroutine body
// runs under one lock from end to end unless it does in the corrected copy, and
// the speed-up by a second processor is compared with the corrected copy's, which
// must itself give nothing to repair. With --arm, ways of repairing are compared
// by pairs: with noise alone, without the genetic search, with another population.
//
// Goker adapts the kernels of real blocking bugs that a Go installation (1.26 or
// later) carries to tests and checks them: 58 of 63 are to be found, and each
// failure replayed identically. The installation's own tests say which functions
// goroutines are to be blocked in. With --noise it runs the kernels with noise,
// with --repair it repairs them. Nothing of them is kept.
//
// Modules checks the tests of correct libraries and of the corrected subjects,
// of which none may fail, unless somebody has looked and the failure is real
// (reviewed.go).
//
// Speed measures the checker beside its yardsticks.
//
// Hostile runs tests that fork, fill the disk or allocate without end on the ways
// by which Mendel runs mutants: each has to end within its limit and leave nothing
// behind, also where Mendel itself is killed.
//
// Kill kills repairs at random moments and resumes them: each has to end with the
// fix of an undisturbed one, with no score lost or made twice and nothing left.
//
// Series repairs a module of several packages, five broken and one sound, within
// one budget, verifies all patches on one copy, and repairs a package with two
// bugs.
//
//	mendel-bench core --only account,deadlock --seeds 3 --out results
//	mendel-bench core --seeds 10 --arm default,random,population=2 --no-verify --out arms
//	mendel-bench goker --only cockroach10214 --repair
//	mendel-bench modules --only conc/pool --budget 20s
//	mendel-bench speed --parts steps,rates
//	mendel-bench kill --subject jobqueue --times 20 --out killed
//
// Exit codes: 0 everything is as it should be; 1 something is not; 2 bad usage
// or a broken environment.
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
	root.AddCommand(newCoreCommand(), newGokerCommand(), newModulesCommand(), newSpeedCommand(), newHostileCommand(), newKillCommand(), newSeriesCommand())
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

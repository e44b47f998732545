package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"mendel/internal/gotool"
)

// A Subject describes a program with a known bug, as its subject.json does.
type Subject struct {
	Name        string `json:"name"`
	Origin      string `json:"origin"`
	Kind        string `json:"kind"` // of the failure
	Bug         string `json:"bug"`
	GoodFix     string `json:"good_fix"`
	PoorFix     string `json:"poor_fix"`
	COREIMCTime string `json:"core_imc_time"` // mean time to a fix that CORE-IMC needed (Kelk 2015), "3m29s"

	dir string
}

// readSubjects reads the subjects below a directory, all of them or those named.
func readSubjects(dir string, only []string) ([]Subject, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*", "subject.json"))
	if err != nil {
		return nil, fmt.Errorf("list the subjects: %w", err)
	}
	var subjects []Subject
	var names []string
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("read a subject: %w", err)
		}
		s := Subject{dir: filepath.Dir(name)}
		if err := json.Unmarshal(data, &s); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		names = append(names, s.Name)
		if len(only) == 0 || slices.Contains(only, s.Name) {
			subjects = append(subjects, s)
		}
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("no */subject.json below %s; run in Mendel's source or name the directory with --subjects", dir)
	}
	for _, o := range only {
		if !slices.Contains(names, o) {
			return nil, fmt.Errorf("no subject %s below %s; there are %s", o, dir, strings.Join(names, ", "))
		}
	}
	return subjects, nil
}

// subjectsOptions are the flags of the subjects command.
type subjectsOptions struct {
	effort
	dir, out    string
	only        []string
	seeds       int
	first       uint64
	checker     string
	noCorrected bool
}

// Values of --checker.
const (
	withChecker    = "on"
	withoutChecker = "off"
	bothWays       = "both"
)

func newSubjectsCommand() *cobra.Command {
	var o subjectsOptions
	c := &cobra.Command{
		Use:   "subjects [flags]",
		Short: "repair the subjects with several seeds and check the fixes",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return runSubjects(c.Context(), o, c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	fs := c.Flags()
	fs.SortFlags = false
	fs.IntVar(&o.seeds, "seeds", 10, "how many seeds to repair each subject with")
	fs.Uint64Var(&o.first, "seed", 1, "first seed")
	fs.StringSliceVar(&o.only, "only", nil, "subjects, comma-separated (default all)")
	fs.IntVar(&o.Runs, "runs", 300, "plain runs, and as many noised runs, of each patched subject")
	fs.DurationVar(&o.Limit, "budget", time.Minute, "time for one repair, from beginning to end")
	fs.IntVar(&o.Workers, "workers", 0, "builds and runs at a time (default: the number of CPUs)")
	fs.StringVar(&o.checker, "checker", withChecker, "on, off: repair with noise alone, both: each seed in both ways, and compare the times")
	fs.BoolVar(&o.noCorrected, "no-corrected", false, "leave the corrected copies out")
	fs.StringVar(&o.dir, "subjects", "subjects", "`directory` of the subjects")
	fs.StringVarP(&o.out, "out", "o", "", "write subjects.json and subjects.md to `directory`")
	return c
}

// runSubjects evaluates the subjects and prints the table. Interrupted, it
// prints what it has.
func runSubjects(ctx context.Context, o subjectsOptions, stdout, stderr io.Writer) error {
	if o.seeds < 1 || o.Runs < 1 || o.Limit <= 0 {
		return fmt.Errorf("--seeds, --runs and --budget must be positive")
	}
	if !slices.Contains([]string{withChecker, withoutChecker, bothWays}, o.checker) {
		return fmt.Errorf("--checker %s: it is %s, %s or %s", o.checker, withChecker, withoutChecker, bothWays)
	}
	subjects, err := readSubjects(o.dir, o.only)
	if err != nil {
		return err
	}
	if err := makeOut(o.out); err != nil {
		return err
	}
	tool, err := gotool.Open(ctx, subjects[0].dir)
	if err != nil {
		return err
	}
	r := &Report{Machine: thisMachine(tool), Limit: o.Limit.String(), Runs: o.Runs, Checker: o.checker}
	var broken error
	for _, s := range subjects {
		sr := &SubjectReport{Subject: s}
		r.Subjects = append(r.Subjects, sr)
		if broken = evaluate(ctx, sr, o, stderr); broken != nil {
			break
		}
	}
	return finish(r, stdout, o.out, "subjects", broken)
}

// evaluate repairs a subject with each seed, and its corrected copy once.
func evaluate(ctx context.Context, sr *SubjectReport, o subjectsOptions, log io.Writer) error {
	name := sr.Subject.Name
	for i := range o.seeds {
		seed := o.first + uint64(i)
		for _, noChecker := range o.ways(i) {
			e := o.effort
			e.NoChecker = noChecker
			t, err := try(ctx, sr.Subject.dir, seed, e)
			if err != nil {
				return fmt.Errorf("%s, seed %d: %w", name, seed, err)
			}
			way := ""
			if o.checker == bothWays && noChecker {
				sr.NoiseAlone = append(sr.NoiseAlone, t)
				way = ", noise alone"
			} else {
				sr.Trials = append(sr.Trials, t)
			}
			fmt.Fprintf(log, "%s, seed %d%s: %s\n", name, seed, way, t.line())
		}
	}
	if o.noCorrected {
		return nil
	}
	e := o.effort
	e.NoChecker = o.checker == withoutChecker
	t, err := try(ctx, filepath.Join(sr.Subject.dir, "testdata", "fixed"), o.first, e)
	if err != nil {
		return fmt.Errorf("%s, corrected copy: %w", name, err)
	}
	sr.Corrected = &t
	fmt.Fprintf(log, "%s, corrected copy: %s\n", name, t.line())
	return nil
}

// ways lists the values of effort.NoChecker to try the i-th seed with. Of two,
// each comes first as often as the other, lest a machine that gets slower or
// faster favour one.
func (o subjectsOptions) ways(i int) []bool {
	if o.checker != bothWays {
		return []bool{o.checker == withoutChecker}
	}
	return []bool{i%2 == 1, i%2 == 0}
}

// line says in a line what became of a trial.
func (t Trial) line() string {
	text := fmt.Sprintf("%s in %.1f s, %d evaluations, %s", t.Status, t.Seconds, t.Evaluations, mebibytes(t.PeakBytes))
	if len(t.Operators) > 0 {
		text += fmt.Sprintf(", generation %d, %s, %d changed lines", t.Generation, strings.Join(t.Operators, "+"), t.ChangedLines)
	}
	if len(t.Flags) > 0 {
		text += fmt.Sprintf(", flags %v", t.Flags)
	}
	if t.Reason != "" {
		text += ": " + t.Reason
	}
	for _, p := range t.Problems {
		text += "\n\tPROBLEM: " + p
	}
	return text
}

package real

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"mendel/internal/bench/exposure"
	"mendel/internal/bench/identity"
	"mendel/internal/bench/repository"
	"mendel/internal/bench/tables"
	"mendel/internal/cover"
	"mendel/internal/gotool"
)

const (
	// plainRuns show how often the test of a bug fails as it is. A failure is rare if it
	// shows in less than half of them.
	plainRuns = 20
	// leastGain is how many times more runs noise must need for a rare failure.
	leastGain = 2
)

// A native is in how many runs the failures show with the real scheduler, as saved in
// real-native.json.
type native struct {
	tables.Machine
	Mendel string         `json:"mendel"`
	Seeds  int            `json:"seeds"`
	Limit  string         `json:"limit"` // for one bug and strategy with one seed
	Runs   int            `json:"runs"`  // the same
	Bugs   []*nativeTries `json:"bugs"`
}

// nativeTries are those of one bug. Failures that are not rare are not tried.
type nativeTries struct {
	Name  string         `json:"name"`
	Kind  string         `json:"kind"`
	Plain Runs           `json:"plain"`
	Maple exposure.Tries `json:"maple,omitempty"`
	Noise exposure.Tries `json:"noise,omitempty"`
}

// rare reports whether a failure shows in less than half of plain runs.
func (t *nativeTries) rare() bool { return 2*t.Plain.Failed < t.Plain.Done }

// exposeBugs measures the bugs and prints the table.
func exposeBugs(ctx context.Context, o Options, bugs []repository.Bug, tool *gotool.Toolchain, stdout, stderr io.Writer) error {
	version, err := identity.Mendel()
	if err != nil {
		return err
	}
	n := &native{Machine: tables.ThisMachine(tool), Mendel: version, Seeds: o.Seeds, Limit: o.Limit.String(), Runs: o.Runs}
	files := tables.Files{Dir: o.Out, Name: "real-native", Command: o.Command}
	var broken error
	for i, b := range bugs {
		fmt.Fprintf(stderr, "[%d/%d] %s\n", i+1, len(bugs), b.Name)
		t, err := o.expose(ctx, b)
		if err != nil {
			broken = fmt.Errorf("%s: %w", b.Name, err)
			break
		}
		n.Bugs = append(n.Bugs, t)
		fmt.Fprintf(stderr, "\tplain runs failed: %s; maple %s, noise %s\n", t.Plain, t.Maple.Words(), t.Noise.Words())
		if err := files.Save(n, fmt.Errorf("%d of %d bugs are done", i+1, len(bugs))); err != nil {
			return err
		}
	}
	return tables.Finish(n, stdout, files, broken)
}

// expose measures one bug.
func (o Options) expose(ctx context.Context, b repository.Bug) (t *nativeTries, err error) {
	s, err := repository.Shelf{Dir: o.Clones}.Find(ctx, b)
	if err != nil {
		return nil, err
	}
	dir, remove, err := gotool.TempDir()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, remove()) }()
	tree := filepath.Join(dir, "tree")
	if err := s.Prepare(ctx, tree); err != nil {
		return nil, err
	}
	p, problem, err := build(ctx, b, tree)
	if err != nil || problem != "" {
		return nil, errors.Join(err, errors.New(problem))
	}
	t = &nativeTries{Name: b.Name, Kind: b.Kind}
	if t.Plain, err = p.runTest(ctx, plainRuns, nil); err != nil || !t.rare() {
		return t, err
	}
	for strategy, tries := range map[string]*exposure.Tries{cover.Maple: &t.Maple, cover.Noise: &t.Noise} {
		*tries, err = exposure.Measure(ctx, cover.TrialOptions{Seeds: o.Seeds, Options: cover.Options{
			Dir: tree, Package: b.Pattern(), Run: b.RunPattern(), Strategy: strategy, Runs: o.Runs, Budget: o.Limit, Seed: o.Seed, Workers: 1,
		}})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", strategy, err)
		}
	}
	return t, nil
}

// Failures implements tables.Document. A failure that noise needs one run for cannot be
// exposed in half of that.
func (n *native) Failures() []string {
	var failures []string
	for _, t := range n.Bugs {
		maple, noise := t.Maple.Median(), t.Noise.Median()
		switch {
		case !t.rare() || noise == 1 && maple == 1:
		case maple == 0:
			failures = append(failures, fmt.Sprintf("%s is exposed with %d of %d seeds", t.Name, t.Maple.Exposed(), len(t.Maple)))
		case noise > 0 && leastGain*maple > noise:
			failures = append(failures, fmt.Sprintf("%s takes %d runs, with noise %d", t.Name, maple, noise))
		}
	}
	return failures
}

// Write implements tables.Document.
func (n *native) Write(w io.Writer, markdown bool) error {
	fmt.Fprintf(w, "%s; medians of the runs over %d seeds, of which each has %s and %d runs at most; Mendel's source %s.\n\n",
		n.Machine, n.Seeds, n.Limit, n.Runs, n.Mendel)
	t := &tables.Table{Header: []string{"bug", "kind", "plain runs failed", "maple", "idiom forced", "noise", "failure", "seconds maple", "seconds noise"}}
	for _, b := range n.Bugs {
		if !b.rare() {
			t.Add(b.Name, b.Kind, b.Plain, "-", "-", "-", "not rare", "-", "-")
			continue
		}
		t.Add(b.Name, b.Kind, b.Plain, b.Maple.Words(), b.Maple.Idioms(), b.Noise.Words(), b.kinds(),
			fmt.Sprintf("%.1f", b.Maple.Seconds()), fmt.Sprintf("%.1f", b.Noise.Seconds()))
	}
	return t.Render(w, markdown)
}

// kinds are those of the failures that showed.
func (t *nativeTries) kinds() string {
	var kinds []string
	for _, one := range slices.Concat(t.Maple, t.Noise) {
		if one.Kind != "" && !slices.Contains(kinds, one.Kind) {
			kinds = append(kinds, one.Kind)
		}
	}
	slices.Sort(kinds)
	return strings.Join(kinds, ", ")
}

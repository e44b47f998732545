package speed

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"mendel"
	"mendel/internal/bench/commands"
	"mendel/internal/bench/programs"
	"mendel/internal/bench/repository"
	"mendel/internal/bench/tables"
	"mendel/internal/bench/trial"
)

// Searched are the bugs whose packages the part search measures: of real size, and with
// searches that go on for long.
var Searched = []string{"zap-7c80d7b5", "go-cache-0640633c", "watermill-6adfe4ed", "pond-198a10d7"}

// A searchCost is how a package's bug was searched for a fix, by another version of Mendel
// and by this one, in turns.
type searchCost struct {
	Bug    string     `json:"bug"`
	Lines  int        `json:"lines"`            // of the package
	Before []searched `json:"before,omitempty"` // by the version to compare with; none: there is none
	After  []searched `json:"after"`
}

// A searched is what one repair did in its search.
type searched struct {
	Seed        uint64  `json:"seed"`
	Status      string  `json:"status"`
	Mutants     int     `json:"mutants"` // scored
	Seconds     float64 `json:"seconds"` // of the search: neither the original nor candidates
	Building    float64 `json:"building_seconds"`
	Programs    int     `json:"programs"`
	Executables int     `json:"executables"`
	Variants    int     `json:"variants"`          // of Programs, those that are variants of functions
	Peak        int64   `json:"peak"`              // bytes resident of Mendel and its children
	Problem     string  `json:"problem,omitempty"` // why nothing was searched
}

// perMinute is how many mutants were scored in a minute of search.
func (s searched) perMinute() float64 {
	if s.Seconds <= 0 {
		return 0
	}
	return float64(s.Mutants) * 60 / s.Seconds
}

// search measures the search for fixes of bugs of public repositories.
func (r *evaluation) search(ctx context.Context) error {
	this := filepath.Join(r.dir, "mendel")
	if err := commands.BuildMendel(ctx, this); err != nil {
		return err
	}
	after, err := trial.OfVersion(this)
	if err != nil {
		return err
	}
	versions := []trial.Arm{after}
	if r.Against != "" {
		before, err := trial.OfVersion(r.Against)
		if err != nil {
			return err
		}
		versions = append(versions, before)
	}
	bugs, err := repository.ReadManifest(r.Bugs)
	if err != nil {
		return err
	}
	for _, b := range bugs {
		cost, err := r.searchFor(ctx, b, versions)
		if len(cost.After) > 0 { // as far as it came
			r.report.Searches = append(r.report.Searches, cost)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", b.Name, err)
		}
	}
	return nil
}

// searchFor repairs a bug with each version in each round. The first version is this one.
func (r *evaluation) searchFor(ctx context.Context, b repository.Bug, versions []trial.Arm) (cost searchCost, err error) {
	cost = searchCost{Bug: b.Name, Lines: b.PackageLines}
	s, err := repository.Shelf{Dir: r.Clones}.Find(ctx, b)
	if err != nil {
		return cost, err
	}
	tree := filepath.Join(r.dir, b.Name)
	if err := s.Prepare(ctx, tree); err != nil {
		return cost, err
	}
	for round := range r.Rounds {
		for turn := range versions {
			i := (round + turn + 1) % len(versions) // who comes first finds a colder cache
			// The other version may not know of searches that go on after a fix. So its search ends
			// with one; how many mutants it scores in a minute can be compared all the same.
			name, runs, until := "this version", &cost.After, trial.UntilLimit
			if i > 0 {
				name, runs, until = "the other version", &cost.Before, ""
			}
			one, err := r.searchOnce(ctx, b, tree, versions[i], until, r.First+uint64(round))
			if err != nil {
				return cost, err
			}
			*runs = append(*runs, one)
			fmt.Fprintf(r.log, "search: %s, seed %d, %s: %d mutants in %.1f s, %.1f s of them building %s\n", b.Name, one.Seed, name, one.Mutants, one.Seconds, one.Building, one.Problem)
		}
	}
	return cost, nil
}

// searchOnce repairs a bug in a copy of its tree, which is in the same place for all.
func (r *evaluation) searchOnce(ctx context.Context, b repository.Bug, tree string, version trial.Arm, until string, seed uint64) (one searched, err error) {
	work, out := tree+"-work", tree+"-out"
	if err := repository.CopyTree(work, tree); err != nil {
		return one, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work), os.RemoveAll(out)) }()
	t, _, err := trial.Repair(ctx, trial.Target{Dir: work, Package: b.Pattern(), Run: b.RunPattern(), Out: out}, seed, version,
		programs.Effort{Limit: r.SearchBudget, Workers: r.Workers, NoRace: !b.Race, Until: until})
	if err != nil {
		return one, err
	}
	one = searched{
		Seed: seed, Status: string(t.Status), Mutants: t.Search.Evaluations, Seconds: t.Phases[trial.SearchPhase],
		Building: t.Building.Seconds, Programs: t.Building.Programs, Executables: t.Building.Executables, Variants: t.Building.Variants, Peak: t.PeakOfAll,
	}
	if t.Status == mendel.Failed || one.Seconds == 0 {
		one.Problem = fmt.Sprintf("%s: %s", t.Status, tables.FirstLine(t.Reason))
	}
	return one, nil
}

package maple

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"mendel/internal/bench/identity"
	"mendel/internal/bench/programs"
	"mendel/internal/bench/tables"
	"mendel/internal/bench/trial"
	"mendel/internal/gotool"
)

// The arms of repairs: the checker takes part in neither, as where it cannot follow a
// program.
const (
	forcingArm = "noise-only"
	plainArm   = "no-forcing+noise-only"
)

// validationShare is the part of the runs without forcing that validation may take with it.
const validationShare = 0.5

// A repairs is the outcome of repairing the programs, as saved in maple-repair.json.
type repairs struct {
	tables.Machine
	Mendel   string      `json:"mendel"`
	Seed     uint64      `json:"seed"`
	Limit    string      `json:"limit"`  // of one repair
	Hidden   int         `json:"hidden"` // noised runs of each patch afterwards
	Programs []*repaired `json:"programs"`
}

// A repaired is one program, repaired in both arms.
type repaired struct {
	Name   string         `json:"name"`
	Forced *programRepair `json:"forced"`
	Plain  *programRepair `json:"plain"` // nothing was forced
}

// A programRepair is one repair, and how its best patch was validated.
type programRepair struct {
	trial.Trial
	Patch      string `json:"patch,omitempty"`
	Noised     int    `json:"noised"`     // runs
	Reproduced int    `json:"reproduced"` // runs under interleavings that failed the original
	Saturating int    `json:"saturating"` // runs that forced what is predicted around the changes
	Hidden     int    `json:"hidden"`     // noised runs afterwards that passed
	Refuted    string `json:"refuted,omitempty"`
}

// runs are all that validated the patch.
func (p *programRepair) runs() int { return p.Noised + p.Reproduced + p.Saturating }

// repairAll repairs the programs and prints the table.
func (m *measuring) repairAll(ctx context.Context, list []program, machine tables.Machine, stdout io.Writer) error {
	version, err := identity.Mendel()
	if err != nil {
		return err
	}
	r := &repairs{Machine: machine, Mendel: version, Seed: 1, Limit: m.o.Limit.String(), Hidden: m.o.Hidden}
	var broken error
	for _, p := range list {
		one := &repaired{Name: p.Name}
		if one.Forced, broken = m.repair(ctx, p, forcingArm); broken == nil {
			one.Plain, broken = m.repair(ctx, p, plainArm)
		}
		if broken != nil {
			broken = fmt.Errorf("%s: %w", p.Name, broken)
			break
		}
		fmt.Fprintf(m.log, "%s: validated in %d runs, without forcing in %d\n", p.Name, one.Forced.runs(), one.Plain.runs())
		r.Programs = append(r.Programs, one)
	}
	return tables.Finish(r, stdout, tables.Files{Dir: m.o.Out, Name: "maple-repair", Command: m.o.Command}, broken)
}

// repair repairs a copy of one program, and runs the patched program with noise.
func (m *measuring) repair(ctx context.Context, p program, armName string) (one *programRepair, err error) {
	arms, err := trial.ParseArms([]string{armName})
	if err != nil {
		return nil, err
	}
	dir, remove, err := gotool.TempDir()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, remove()) }()
	work := filepath.Join(dir, "work")
	if err := programs.Copy(work, m.module); err != nil {
		return nil, err
	}
	effort := programs.Effort{Limit: m.o.Limit, Runs: m.o.Hidden}
	found, result, err := trial.Repair(ctx, trial.Target{Dir: work, Package: "./" + p.Name, Out: filepath.Join(dir, "out")}, 1, arms[0], effort)
	if err != nil {
		return nil, err
	}
	one = &programRepair{Trial: found}
	if len(result.Fixes) == 0 {
		return one, nil
	}
	fix := result.Fixes[0]
	one.Patch, one.Noised, one.Reproduced, one.Saturating = fix.Diff, fix.Evidence.RunsAfter, fix.Evidence.Forced, fix.Evidence.Saturating
	patched := filepath.Join(dir, "patched")
	if one.Refuted, err = programs.PatchedCopy(ctx, patched, m.module, fix.Diff); err != nil || one.Refuted != "" {
		return one, err
	}
	one.Hidden, one.Refuted, err = programs.NoisedRuns(ctx, programs.Patched{Dir: filepath.Join(patched, p.Name), Seed: 1, Effort: effort})
	return one, err
}

// Failures implements tables.Document. Programs that are not repaired in both arms say
// nothing of validation.
func (r *repairs) Failures() []string {
	var failures []string
	for _, p := range r.Programs {
		if p.Forced.Refuted != "" {
			failures = append(failures, fmt.Sprintf("%s: %s", p.Name, p.Forced.Refuted))
		}
		if p.Plain.Patch != "" && p.Forced.Patch == "" {
			failures = append(failures, p.Name+" is repaired only if nothing is forced")
		}
		if n, all := p.Forced.runs(), p.Plain.runs(); p.Forced.Patch != "" && p.Plain.Patch != "" && float64(n) > validationShare*float64(all) {
			failures = append(failures, fmt.Sprintf("%s: validated in %d runs, in %d if nothing is forced", p.Name, n, all))
		}
	}
	return failures
}

// Write implements tables.Document.
func (r *repairs) Write(w io.Writer, markdown bool) error {
	fmt.Fprintf(w, "%s; repairs without the checker, %s at most for each, seed %d; %d noised runs of each patch afterwards; Mendel's source %s.\n\n",
		r.Machine, r.Limit, r.Seed, r.Hidden, r.Mendel)
	t := &tables.Table{Header: []string{"program", "arm", "repair", "seconds", "validating runs", "noised", "reproducing", "saturating", "hidden runs passed", "refuted"}}
	for _, p := range r.Programs {
		for _, arm := range []struct {
			name string
			of   *programRepair
		}{{"forcing", p.Forced}, {"nothing forced", p.Plain}} {
			t.Add(p.Name, arm.name, arm.of.Status, fmt.Sprintf("%.1f", arm.of.Seconds), arm.of.runs(), arm.of.Noised, arm.of.Reproduced, arm.of.Saturating,
				arm.of.Hidden, arm.of.Refuted)
		}
	}
	return t.Render(w, markdown)
}

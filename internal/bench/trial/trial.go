package trial

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"mendel"
	"mendel/internal/bench/commands"
	"mendel/internal/bench/programs"
	"mendel/internal/bench/tables"
	"mendel/internal/gotool"
	"mendel/mutate"
)

// UntilCandidate ends a trial with its first candidate, a mutant with a full
// score. It is for measuring how soon the search finds one.
const UntilCandidate = "candidate"

// UntilLimit has a trial score mutants until its time is over. It is for measuring how many
// the search scores.
const UntilLimit = "limit"

// A Trial is one repair and its outcome.
type Trial struct {
	Seed       uint64             `json:"seed"`
	Status     mendel.Status      `json:"status"`
	Reason     string             `json:"reason,omitempty"` // when there is no fix
	Seconds    float64            `json:"seconds"`
	Phases     map[string]float64 `json:"phases,omitempty"`     // seconds by name
	Generation int                `json:"generation,omitempty"` // in which the best fix was found
	Search     mendel.Search      `json:"search"`
	// Building is the part of building in the phase of search: mutants, and
	// neither the original nor steps of validation.
	Building     Building        `json:"building"`
	Moments      Moments         `json:"moments"`
	Fixes        int             `json:"fixes"`
	Operators    []string        `json:"operators,omitempty"` // of the best fix
	Drawn        string          `json:"drawn,omitempty"`     // operator of the edit that made its candidate; "": not known, or several at once
	ChangedLines int             `json:"changedLines,omitempty"`
	Flags        []mutate.Flag   `json:"flags,omitempty"`   // of the best fix
	Quality      *mendel.Quality `json:"quality,omitempty"` // of the best fix
	PeakBytes    int64           `json:"peakBytes"`         // memory of the tool itself, if it was this process
	// PeakOfAll is the memory of another version's executable and of all that it started,
	// at one time: bytes resident, what processes share counted for each.
	PeakOfAll int64    `json:"peakOfAll,omitempty"`
	Problems  []string `json:"problems,omitempty"`
	Until     string   `json:"until,omitempty"` // as of its effort

	Written []string `json:"-"` // files in the output directory
	Patches []string `json:"-"` // best first
}

// Building is what was built in a phase, for the checker and for noise.
type Building struct {
	Programs    int     `json:"programs"`
	Executables int     `json:"executables,omitempty"` // linked, each of one program or several
	Variants    int     `json:"variants,omitempty"`    // of Programs, those that are variants of functions in one executable
	Seconds     float64 `json:"seconds"`
}

// SearchPhase is the name of the phase in which mutants are built and scored.
const SearchPhase = "search"

// OK reports whether the trial gave a fix, or a candidate if that is what it was
// for, and has no problem.
func (t Trial) OK() bool {
	given := t.Status == mendel.Fixed
	if t.Until == UntilCandidate {
		given = t.Search.Candidate > 0
	}
	return given && len(t.Problems) == 0
}

// Problem records something that is wrong.
func (t *Trial) Problem(format string, args ...any) {
	t.Problems = append(t.Problems, fmt.Sprintf(format, args...))
}

// Line says in a line what became of a trial.
func (t Trial) Line() string {
	if t.Until == UntilCandidate && t.OK() {
		return fmt.Sprintf("candidate in %.1f s, mutant %d, generation %d", t.Seconds, t.Search.Candidate, t.Search.Generations)
	}
	text := fmt.Sprintf("%s in %.1f s, %d evaluations, %s", t.Status, t.Seconds, t.Search.Evaluations, tables.Mebibytes(t.PeakBytes))
	if len(t.Operators) > 0 {
		text += fmt.Sprintf(", generation %d, %s, %d changed lines", t.Generation, strings.Join(t.Operators, "+"), t.ChangedLines)
	}
	if len(t.Flags) > 0 {
		text += fmt.Sprintf(", flags %v", t.Flags)
	}
	if t.Reason != "" {
		text += ": " + t.Reason
	}
	return text + tables.ProblemLines(t.Problems)
}

// A Target is the program of a repair, in a copy made for it.
type Target struct {
	Dir     string // of the module
	Package string // relative to it, such as "./sub"; "": the module's root
	Run     string // -run pattern of the failing tests; "": all
	Out     string // directory for what the repair writes
}

// Run repairs a copy of the module in source. A repair that fails is
// among the trial's problems; the error is for what kept it from being tried.
func Run(ctx context.Context, source string, seed uint64, arm Arm, e programs.Effort) (t Trial, err error) {
	dir, remove, err := gotool.TempDir()
	if err != nil {
		return t, err
	}
	defer func() { err = errors.Join(err, remove()) }()

	work, out := filepath.Join(dir, "work"), filepath.Join(dir, "out")
	if err := programs.Copy(work, source); err != nil {
		return t, err
	}
	t, result, err := Repair(ctx, Target{Dir: work, Out: out}, seed, arm, e)
	if err != nil || arm.command != "" {
		return t, err
	}
	if len(result.Fixes) > 0 {
		problem, err := writtenOtherwise(ctx, result, work, source)
		if err != nil {
			return t, err
		}
		if problem != "" {
			t.Problem("%s", problem)
		}
	}
	return t, nil
}

// Repair repairs a target in its place and returns the result too. Errors are
// as those of Run.
func Repair(ctx context.Context, at Target, seed uint64, arm Arm, e programs.Effort) (t Trial, result *mendel.Result, err error) {
	at.Package = cmp.Or(at.Package, ".")
	if arm.command != "" {
		return runRepair(ctx, arm.command, at, seed, e)
	}
	o := mendel.Options{
		Dir: at.Dir, Package: at.Package, Run: at.Run, Out: at.Out, Budget: e.Limit - closing(e.Limit), Seed: seed, Workers: e.Workers, NoRace: e.NoRace,
		UntilCandidate: e.Until == UntilCandidate,
	}
	arm.apply(&o)
	o.Search.ScoreOnly = o.Search.ScoreOnly || e.Until == UntilLimit
	drawn := &drawing{}
	o.Observer = drawn
	ResetPeakMemory()
	result, err = mendel.Repair(ctx, o)
	t = summarise(seed, result)
	if len(result.Fixes) > 0 {
		t.Drawn = drawn.of(t.Generation)
	}
	t.PeakBytes, t.Until = PeakMemory(), e.Until
	if ctx.Err() != nil {
		return t, result, context.Cause(ctx)
	}
	if err != nil {
		t.Problem("repair: %v", err)
	}
	if t.Seconds > e.Limit.Seconds() {
		t.Problem("it took longer than the %v allowed", e.Limit)
	}
	t.Written, err = fileNames(at.Out)
	return t, result, err
}

// runRepair repairs a target with another version of Mendel.
func runRepair(ctx context.Context, command string, at Target, seed uint64, e programs.Effort) (t Trial, result *mendel.Result, err error) {
	if e.Until == UntilCandidate {
		return t, nil, fmt.Errorf("%s repairs to the end only, not --until %s", command, e.Until)
	}
	args := []string{
		"repair", "--json", "--out", at.Out, "--seed", fmt.Sprint(seed), "--budget", (e.Limit - closing(e.Limit)).String(),
		"--workers", fmt.Sprint(cmp.Or(e.Workers, runtime.NumCPU())),
	}
	if e.NoRace {
		args = append(args, "--no-race")
	}
	if e.Until == UntilLimit {
		args = append(args, "--score-only")
	}
	if at.Run != "" {
		args = append(args, "--run", at.Run)
	}
	r, err := gotool.Run(ctx, gotool.RunOptions{Path: command, Args: append(args, at.Package), Dir: at.Dir, Timeout: 2 * e.Limit, Memory: 8 << 30, Disk: 8 << 30, Processes: 4096})
	if err != nil {
		return t, nil, fmt.Errorf("repair with %s: %w", command, err)
	}
	if ctx.Err() != nil {
		return t, nil, context.Cause(ctx)
	}
	data, err := os.ReadFile(filepath.Join(at.Out, "result.json"))
	if err != nil {
		return t, nil, fmt.Errorf("repair with %s: %w; it said: %s", command, err, commands.Head(r.Output))
	}
	result = &mendel.Result{}
	if err := json.Unmarshal(data, result); err != nil {
		return t, nil, fmt.Errorf("read what %s found: %w", command, err)
	}
	t = summarise(seed, result)
	t.PeakOfAll = r.MaxRSS
	if t.Moments == (Moments{}) { // an older version, perhaps
		t.Moments = momentsOf(r.Output)
	}
	if t.Status == mendel.Failed {
		t.Problem("repair: %s", result.Reason)
	}
	t.Written, err = fileNames(at.Out)
	return t, result, err
}

// closing is the part of a limit that is not given to the repair as its budget: a
// repair that spends its whole budget must still end within the limit.
func closing(limit time.Duration) time.Duration { return min(2*time.Second, limit/10) }

// summarise takes what the tables need from a result.
func summarise(seed uint64, r *mendel.Result) Trial {
	t := Trial{
		Seed: seed, Status: r.Status, Reason: r.Reason, Seconds: r.Seconds,
		Phases: map[string]float64{}, Search: r.Search, Fixes: len(r.Fixes), Moments: momentsIn(r),
	}
	for _, p := range r.Phases {
		t.Phases[p.Name] += p.Seconds
		if p.Name == SearchPhase {
			t.Building.Programs += p.Programs
			t.Building.Executables += p.Executables
			t.Building.Variants += p.Variants
			t.Building.Seconds += p.BuildSeconds
		}
	}
	for _, f := range r.Fixes {
		t.Patches = append(t.Patches, f.Diff)
	}
	if len(r.Fixes) == 0 {
		return t
	}
	best := r.Fixes[0]
	quality := best.Quality // a pointer into the fix would keep all that it rests on
	t.Generation, t.ChangedLines, t.Flags, t.Quality = best.Generation, best.ChangedLines, best.Flags, &quality
	for _, edit := range best.Edits {
		t.Operators = append(t.Operators, edit.Operator)
	}
	return t
}

// fileNames lists a directory, sorted.
func fileNames(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("list the output directory: %w", err)
	}
	names := map[string]bool{}
	for _, e := range entries {
		names[e.Name()] = true
	}
	return slices.Sorted(maps.Keys(names)), nil
}

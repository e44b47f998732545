package goker

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"mendel/checker/sched/explore"
	"mendel/internal/bench/programs"
	"mendel/internal/bench/tables"
	"mendel/internal/bench/verify"
	"mendel/internal/gotool"
	"mendel/mutate"
)

// proofSample is how many random schedules the checker tries on a patched kernel
// before its bounded search, in which no timer overtakes a goroutine.
const proofSample = 1000

// A kernelProof is what was found out about a kernel's patch.
type kernelProof struct {
	// Broken says why nothing further was tried: the patch does not apply, or the
	// patched program does not build or pass go vet.
	Broken string       `json:"broken,omitempty"`
	Hides  []string     `json:"hides,omitempty"` // how the patch hides the bug rather than mends it
	Check  verify.Check `json:"check"`
	// Endless says that the check is inconclusive only because schedules of the
	// patched kernel reach the bound on steps, as those of the original do.
	// Nothing is blocked up to there.
	Endless bool   `json:"endless,omitempty"`
	Copies  bool   `json:"copies"` // the noised runs were of as many copies as the kernel comes with
	Runs    int    `json:"runs"`   // noised, with the runtime's leak profile unless it was turned off
	Noised  string `json:"noised,omitempty"`
}

// problems lists what speaks against the patch.
func (p *kernelProof) problems() []string {
	if p.Broken != "" {
		return []string{p.Broken}
	}
	all := slices.Clone(p.Hides)
	if !p.Check.Passed() && !p.Endless {
		all = append(all, "checker: "+p.Check.Words)
	}
	if p.Noised != "" {
		all = append(all, p.Noised)
	}
	return all
}

// line says in a line what was found.
func (p *kernelProof) line() string {
	text := ""
	if p.Broken == "" {
		text = fmt.Sprintf("%d noised runs, %s", p.Runs, tables.FirstLine(p.Check.Words))
	}
	return text + tables.ProblemLines(p.problems())
}

// verify checks the best patch on copies. Plain runs would show nothing: a
// kernel's test ends before its goroutines do.
func (c *kernelRepair) verify(ctx context.Context) (p *kernelProof, err error) {
	dir, remove, err := gotool.TempDir()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, remove()) }()

	p = &kernelProof{}
	once, many := filepath.Join(dir, "once"), filepath.Join(dir, "many")
	if p.Broken, err = verify.Builds(ctx, once, c.source[0], c.Patch); err != nil || p.Broken != "" {
		return p, err
	}
	if p.Hides, err = c.hides(once); err != nil {
		return nil, err
	}
	if err := c.explore(ctx, p, once); err != nil {
		return nil, err
	}
	patch, err := forCopies(c.Patch, c.source[0], c.source[1], c.Name+".go")
	if err != nil {
		return nil, err
	}
	problem, err := verify.Builds(ctx, many, c.source[1], patch)
	if err != nil {
		return nil, err
	}
	noised := many
	if p.Copies = problem == ""; !p.Copies {
		noised = once // the patch changes the very loop that starts the copies
	}
	p.Runs, p.Noised, err = programs.NoisedRuns(ctx, programs.Patched{Dir: noised, Seed: c.options.Seed, Effort: c.options.Effort})
	return p, err
}

// explore has the checker try the patched kernel's schedules, with more steps
// each while it is inconclusive. If a kernel never ends, explore tries the
// original: it may be endless, too.
func (c *kernelRepair) explore(ctx context.Context, p *kernelProof, patched string) (err error) {
	v := verify.Verifier{Budget: c.options.Check, Sample: proofSample, Workers: c.options.Workers}
	for _, a := range attempts {
		v.Steps = a.steps
		if p.Check, err = v.Explore(ctx, patched); err != nil || p.Check.Verdict != explore.Inconclusive {
			return err
		}
		if p.Check.Spun > 0 {
			break // more steps would be more of the same
		}
	}
	if p.Check.Spun == 0 {
		return nil
	}
	v.All = true
	original, err := v.Explore(ctx, c.source[0])
	if err != nil {
		return err
	}
	p.Endless = original.Spun > 0
	p.Check.Words = fmt.Sprintf("no failure in %d schedules of up to %d steps, %d of which go on to the end of these", p.Check.Schedules, v.Steps, p.Check.Spun)
	if p.Endless {
		p.Check.Words += ", as the original's do"
	}
	return nil
}

// suspicious matches what no fix of a kernel may add.
var suspicious = regexp.MustCompile(`\btime\.(Sleep|After|AfterFunc|Tick|NewTimer|NewTicker)\(|\bruntime\.Gosched\(|\brecover\(`)

// hides lists how the patch hides the bug, as far as the text shows it.
func (c *kernelRepair) hides(patched string) ([]string, error) {
	var all []string
	if slices.Contains(c.Flags, mutate.DropsGuard) {
		all = append(all, "the fix drops a lock that guards data")
	}
	if slices.Contains(c.Flags, mutate.DropsLock) {
		all = append(all, "the fix gives up a critical section for nothing in its place")
	}
	serialised, err := verify.NewlySerialised(c.source[0], patched)
	if err != nil {
		return nil, err
	}
	for _, where := range serialised {
		all = append(all, "a goroutine's whole body is one critical section: "+where)
	}
	before, after := map[string]int{}, map[string]int{}
	for dir, count := range map[string]map[string]int{c.source[0]: before, patched: after} {
		src, err := os.ReadFile(filepath.Join(dir, c.Name+".go"))
		if err != nil {
			return nil, fmt.Errorf("look at what a patch puts in: %w", err)
		}
		for _, found := range suspicious.FindAll(src, -1) {
			count[string(found)]++
		}
	}
	for what, n := range after {
		if n > before[what] {
			all = append(all, "the fix puts in "+strings.TrimSuffix(what, "("))
		}
	}
	had, err := verify.Goroutines(c.source[0])
	if err != nil {
		return nil, err
	}
	has, err := verify.Goroutines(patched)
	if err != nil {
		return nil, err
	}
	if len(has) < len(had) {
		all = append(all, fmt.Sprintf("%d go statements are left of %d", len(has), len(had)))
	}
	slices.Sort(all)
	return all, nil
}

// forCopies turns a patch for a kernel that runs once into one for the same
// kernel with many copies. The two sources differ only in the lines of the loops
// that start the copies.
func forCopies(patch, once, many, file string) (string, error) {
	var lines [2][][]byte
	for i, dir := range []string{once, many} {
		src, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil {
			return "", fmt.Errorf("read a kernel: %w", err)
		}
		lines[i] = bytes.Split(src, []byte("\n"))
	}
	if len(lines[0]) != len(lines[1]) {
		return "", fmt.Errorf("%s has %d lines where it runs once and %d where it runs many times", file, len(lines[0]), len(lines[1]))
	}
	copies := map[string]string{}
	for i := range lines[0] {
		if !bytes.Equal(lines[0][i], lines[1][i]) {
			copies[string(lines[0][i])] = string(lines[1][i])
		}
	}
	out := strings.Split(patch, "\n")
	for i, line := range out {
		if line == "" || !strings.Contains(" +-", line[:1]) {
			continue
		}
		if other, ok := copies[line[1:]]; ok {
			out[i] = line[:1] + other
		}
	}
	return strings.Join(out, "\n"), nil
}

package scenario

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"sync"

	"mendel/analysis"
	"mendel/analysis/evidence"
	"mendel/analysis/locks"
	"mendel/checker"
	"mendel/internal/gotool"
)

// Drivers are the scenarios of a suite, built into the program, with what the original's calls one
// after the other come to.
type Drivers struct {
	suite     *Suite
	program   *analysis.Program // with the driver files
	checker   *checker.Checker
	scenarios []*Scenario         // that can be used
	plain     map[string]ordered  // by name of the scenario
	locks     func() *locks.Model // of the program
}

// Open loads the program with the scenarios of a suite, and explores the original's calls one after the
// other. Close removes what it leaves on the disk. Without a scenario that can be used it is nil.
func Open(ctx context.Context, tool *gotool.Toolchain, p *analysis.Program, s *Suite) (*Drivers, error) {
	d := &Drivers{suite: s, plain: map[string]ordered{}}
	d.locks = sync.OnceValue(func() *locks.Model { return locks.New(d.program) })
	if err := d.load(ctx, tool, p); err != nil || d.program == nil {
		return nil, err
	}
	var err error
	d.checker, err = checker.New(ctx, checker.Config{Tool: tool, Program: d.program})
	if err != nil {
		return nil, fmt.Errorf("scenarios: %w", err)
	}
	if err := d.inOrder(ctx); err != nil || len(d.scenarios) == 0 {
		return nil, errors.Join(err, d.Close())
	}
	return d, nil
}

// Close removes the binaries.
func (d *Drivers) Close() error {
	if d == nil || d.checker == nil {
		return nil
	}
	return d.checker.Close()
}

// load loads the program with the driver files. Scenarios that do not compile are left out.
func (d *Drivers) load(ctx context.Context, tool *gotool.Toolchain, p *analysis.Program) error {
	for range 4 {
		if len(d.suite.Scenarios) == 0 {
			return nil
		}
		files := d.suite.files()
		target := p.Target
		target.Overlay, target.Run = files, ""
		target.Imports = append(slices.Clone(target.Imports), d.suite.imports()...)
		loaded, err := analysis.Load(ctx, tool, target)
		if err == nil {
			d.program = loaded
			return nil
		}
		refused := (*gotool.BuildError)(nil)
		if !errors.As(err, &refused) || !d.suite.leave(files, refused) {
			return fmt.Errorf("scenarios: %w", err)
		}
	}
	return nil
}

var ofScenario = regexp.MustCompile(`(?m)^func mendelScenario(\d+)\(`)

// leave leaves out the scenarios that the compiler complains about; false: there are none.
func (s *Suite) leave(files map[string][]byte, refused *gotool.BuildError) bool {
	bad := map[int]bool{}
	for _, diagnostic := range refused.Diagnostics {
		text := files[diagnostic.File]
		if text == nil {
			continue
		}
		upTo := text
		for i, line := 0, 1; i < len(text); i++ {
			if text[i] == '\n' {
				if line++; line > diagnostic.Line {
					upTo = text[:i]
					break
				}
			}
		}
		if all := ofScenario.FindAllSubmatch(upTo, -1); len(all) > 0 {
			n, _ := strconv.Atoi(string(all[len(all)-1][1]))
			bad[n] = true
		}
	}
	before := len(s.Scenarios)
	s.Scenarios = slices.DeleteFunc(s.Scenarios, func(x *Scenario) bool { return bad[x.number] })
	return len(s.Scenarios) < before
}

// inOrder explores the original's ordered tests, and keeps the scenarios that these say something about.
func (d *Drivers) inOrder(ctx context.Context) error {
	b, err := d.checker.Build(ctx, nil)
	if err != nil {
		return fmt.Errorf("scenarios: %w", err)
	}
	defer b.Close()
	if err := d.suite.findLeft(ctx, b); err != nil {
		return err
	}
	if d.plain, err = d.suite.explore(ctx, b, d.suite.Scenarios, orderedBudget); err != nil {
		return err
	}
	for _, x := range d.suite.Scenarios {
		o, seen := d.plain[x.Name]
		if _, fails := o.kinds[evidence.TestFailure]; !seen || fails {
			continue
		}
		d.scenarios = append(d.scenarios, x)
		oneStep := !slices.ContainsFunc(x.calls, func(c *call) bool { return !d.suite.maker.isOneStep(c.fn) })
		switch {
		case !o.complete() || x.workers:
		case oneStep:
			x.outcome = o.outcomes
		default:
			for _, outcome := range o.outcomes {
				x.most = max(x.most, successes(outcome))
			}
		}
	}
	return nil
}

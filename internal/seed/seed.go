package seed

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"runtime"
	"time"

	"mendel/analysis"
	"mendel/internal/gotool"
	"mendel/internal/result"
)

// DefaultBudget is the time for seeding unless Options say otherwise.
const DefaultBudget = 2 * time.Minute

// Options say where to seed faults and how long to try. Zero values are defaults.
type Options struct {
	Dir       string          // directory to work in, as go -C; "": the current one
	Package   string          // import path or ./relative pattern of one package; "": "."
	Run       string          // -run pattern of the tests; "": all
	Tags      string          // build tags, comma-separated
	Flags     []string        // further build flags for the go command
	Operators []string        // names; none: all
	Limit     int             // faults to try at most; 0: no bound
	Budget    time.Duration   // for everything; 0: DefaultBudget
	Seed      uint64          // chooses the faults, and of the judges' random choices; 0: 1
	Workers   int             // processes at a time; 0: runtime.NumCPU()
	Out       string          // directory for seed.json, patches and schedules, made if missing; "": nothing is written
	Observer  result.Observer // nil: nobody
}

// withDefaults fills in what is zero.
func (o Options) withDefaults() Options {
	o.Package = cmp.Or(o.Package, ".")
	o.Budget = cmp.Or(o.Budget, DefaultBudget)
	o.Seed = cmp.Or(o.Seed, 1)
	o.Workers = cmp.Or(o.Workers, runtime.NumCPU())
	if o.Observer == nil {
		o.Observer = result.Silent{}
	}
	return o
}

// check refuses values that make no sense.
func (o Options) check() error {
	for _, n := range []struct {
		name  string
		value int
	}{{"limit", o.Limit}, {"workers", o.Workers}} {
		if n.value < 0 {
			return fmt.Errorf("--%s %d is negative", n.name, n.value)
		}
	}
	if _, err := regexp.Compile(o.Run); err != nil {
		return fmt.Errorf("--run %s: %w", o.Run, err)
	}
	if o.Budget < 0 {
		return errors.New("--budget must not be negative")
	}
	return nil
}

// Run seeds faults into a package and judges which of them its tests notice.
// The result is never nil; when ctx ends it holds what had been judged by then,
// and the error is ctx's. The budget's end is no error: fewer faults are tried.
// Errors are for what cannot be done at all: a package that does not build, has
// no tests, has nothing concurrent (ErrNothing), or tests that fail already
// (*FailsAlready).
func Run(ctx context.Context, o Options) (*Result, error) {
	began := time.Now()
	o = o.withDefaults()
	res := &Result{
		Seed: o.Seed, Target: result.Target{Package: o.Package, Run: o.Run},
		Variants: []Variant{}, // a list in JSON, though it be empty
	}
	if err := o.check(); err != nil {
		return res, err
	}
	operators, err := operatorsNamed(o.Operators)
	if err != nil {
		return res, err
	}
	if err := result.PrepareOut(o.Out); err != nil {
		return res, err
	}
	s := &seeding{o: o, began: began, result: res}
	err = s.run(ctx, operators)
	if ctx.Err() != nil {
		err, res.Interrupted = ctx.Err(), true
	}
	res.count()
	res.Seconds = time.Since(began).Seconds()
	if err != nil && len(res.Variants) == 0 {
		return res, err
	}
	return res, errors.Join(err, res.save(o.Out))
}

// A seeding is one run under way.
type seeding struct {
	o      Options
	began  time.Time
	result *Result
}

// left is what is left of the budget.
func (s *seeding) left() time.Duration { return time.Until(s.began.Add(s.o.Budget)) }

// ErrNothing says that there is nowhere to seed a fault.
var ErrNothing = errors.New("nothing concurrent to seed a fault in: no lock, condition variable, wait group, atomic operation, channel or context of its own code")

// run is the way from the target to the result.
func (s *seeding) run(ctx context.Context, operators []Operator) error {
	s.o.Observer.Phase("loading %s", s.o.Package)
	tool, err := gotool.Open(ctx, s.o.Dir)
	if err != nil {
		return err
	}
	flags := result.BuildFlags(s.o.Tags, s.o.Flags)
	p, err := analysis.Load(ctx, tool, analysis.Target{Dir: tool.Dir, Package: s.o.Package, Run: s.o.Run, Flags: flags})
	if err != nil {
		return err
	}
	if err := p.CheckRun(); err != nil {
		return err
	}
	s.result.Target.Module, s.result.Target.Package = tool.ModuleDir, p.Packages[0].Path
	faults, err := find(p, operators)
	if err != nil {
		return err
	}
	s.result.Possible = len(faults)
	j, err := newJudge(ctx, s, tool, p, flags)
	if err != nil {
		return err
	}
	defer j.close()
	if len(faults) == 0 {
		return fmt.Errorf("%s: %w", p.Packages[0].Path, ErrNothing)
	}
	if err := j.original(ctx); err != nil {
		return err
	}
	err = j.all(ctx, choose(faults, s.o.Seed, s.o.Limit))
	if err == nil && len(s.result.Variants) == 0 && s.result.Possible > 0 {
		return fmt.Errorf("the budget of %v was spent before the first faulty variant was judged; give more with --budget", s.o.Budget)
	}
	return err
}

// choose takes faults by turns of the operators, with the operators and the
// places of each in random order. A limit of 0 is none.
func choose(faults []*Fault, seed uint64, limit int) []*Fault {
	random := rand.New(rand.NewPCG(seed, 0))
	var names []string
	of := map[string][]*Fault{}
	for _, f := range faults {
		if of[f.Operator] == nil {
			names = append(names, f.Operator)
		}
		of[f.Operator] = append(of[f.Operator], f)
	}
	random.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	for _, name := range names {
		list := of[name]
		random.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	}
	var chosen []*Fault
	for turn := 0; len(chosen) < len(faults); turn++ {
		for _, name := range names {
			if turn < len(of[name]) {
				chosen = append(chosen, of[name][turn])
			}
		}
	}
	if limit > 0 && limit < len(chosen) {
		chosen = chosen[:limit]
	}
	return chosen
}

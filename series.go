package mendel

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"time"

	"mendel/evolve"
	"mendel/internal/gotool"
	"mendel/internal/store"
)

// A Series is the repairs of several packages, one after the other within one
// budget; it is what series.json holds.
type Series struct {
	// Status is Fixed when every failure seen is fixed and there was one,
	// NotFixed when one stays, NotReproduced when none was seen, and Failed when
	// none was seen and a package could not be tried.
	Status   Status   `json:"status"`
	Patterns []string `json:"patterns"`
	Module   string   `json:"module"` // directory of go.mod
	Seed     uint64   `json:"seed"`
	Budget   float64  `json:"budget"`             // seconds, for all
	Seconds  float64  `json:"seconds"`            // spent
	Members  []Member `json:"members"`            // in the order in which they are repaired
	Untested []string `json:"untested,omitempty"` // packages without tests
	Notes    []string `json:"notes,omitempty"`
	Options  Options  `json:"options"` // that the series goes on with

	out string // directory; "": nothing is written
}

// A Member is a package of a series.
type Member struct {
	Package string `json:"package"` // import path
	Dir     string `json:"dir"`
	// Out is the directory of its own repair below the series', with slashes.
	Out      string   `json:"out,omitempty"`
	Glance   Glance   `json:"glance"`
	Status   Status   `json:"status,omitempty"` // "": not tried yet
	Reason   string   `json:"reason,omitempty"` // in words, when there is no fix
	Failures []string `json:"failures"`         // messages, most telling first
	Patch    string   `json:"patch,omitempty"`  // of the best fix, below the series' directory, with slashes
	// Within names another member whose fix has all edits of this one and more:
	// only one of both patches can be applied.
	Within string `json:"within,omitempty"`
	// Partial are patches that mend some of the failures only.
	Partial []string `json:"partial,omitempty"`
	// Unfinished tells that the repair was stopped: more time may bring a fix.
	Unfinished bool    `json:"unfinished,omitempty"`
	Begun      bool    `json:"begun,omitempty"` // there is something in Out
	Budget     float64 `json:"budget"`          // seconds that it was given
	Seconds    float64 `json:"seconds"`         // that its repair has taken
}

// RepairAll repairs the packages that patterns match, "./..." as a rule. A quick
// look at each orders them by how easy they seem; then each is repaired in a
// directory of its own below o.Out, with an equal share of what is left of the
// budget. A package that does not build is named, and the others go on. With
// o.Resume the series in o.Out goes on with the options it was begun with, but for
// o.Budget if that is given: it is the new whole budget. Patterns are not used then.
//
// The series is nil only if it could not begin. When ctx ends it holds what was
// done until then, and the error is ctx's.
func RepairAll(ctx context.Context, o Options, patterns []string) (*Series, error) {
	r := &seriesRun{o: o.withDefaults(), given: o.Budget, repair: Repair, look: look, began: time.Now()}
	return r.run(ctx, patterns)
}

// A seriesRun is a series under way.
type seriesRun struct {
	o      Options
	given  time.Duration // budget as the caller gave it; 0: none
	repair func(context.Context, Options) (*Result, error)
	look   func(context.Context, Options) (Glance, []string, error)

	series *Series
	known  []knownFix // of the members that are fixed
	began  time.Time
	before float64 // seconds spent in earlier runs
}

func (r *seriesRun) run(ctx context.Context, patterns []string) (_ *Series, err error) {
	if err := r.o.check(); err != nil {
		return nil, err
	}
	if r.o.Out != "" {
		if err := prepareOut(r.o.Out); err != nil {
			return nil, err
		}
		lock, err := store.Acquire(r.o.Out)
		if err != nil {
			return nil, err
		}
		defer func() { _ = lock.Release() }() // what it guards is written by then
	}
	if err := r.open(ctx, patterns); err != nil {
		return nil, err
	}
	r.o.Observer.Printf("repairing %d packages: budget %v, seed %d", len(r.series.Members), r.o.Budget, r.o.Seed)
	for _, m := range r.series.Members {
		if m.Status == Failed {
			r.o.Observer.Printf("%s: %s", r.name(m), m.line())
		}
	}
	budget, cancel := context.WithDeadline(ctx, r.deadline())
	defer cancel()
	if err = r.glances(budget); err == nil {
		err = r.members(ctx)
	}
	r.conclude(ctx)
	r.o.Observer.Printf("ended: %s after %.1f s; %d of %d packages fixed", r.series.Status, r.series.Seconds, r.series.fixed(), len(r.series.Members))
	return r.series, errors.Join(err, r.save(), ctx.Err())
}

// deadline is the end of the budget.
func (r *seriesRun) deadline() time.Time {
	return r.began.Add(r.o.Budget - time.Duration(r.before*float64(time.Second)))
}

// open finds the packages, or the series that is to go on.
func (r *seriesRun) open(ctx context.Context, patterns []string) error {
	if r.o.Resume {
		return r.reopen()
	}
	tool, err := gotool.Open(ctx, r.o.Dir)
	if err != nil {
		return err
	}
	packages, err := tool.Packages(ctx, r.o.buildFlags(), patterns...)
	if err != nil {
		return err
	}
	kept := r.o
	kept.Observer = nil
	r.series = &Series{
		Patterns: patterns, Module: tool.ModuleDir, Seed: r.o.Seed, Budget: r.o.Budget.Seconds(),
		Options: kept, out: r.o.Out,
	}
	for i, p := range packages {
		switch {
		case p.Problem != "":
			r.series.Members = append(r.series.Members, Member{Package: p.Path, Dir: p.Dir, Status: Failed, Reason: p.Problem})
		case !p.Tests:
			r.series.Untested = append(r.series.Untested, p.Path)
		default:
			out := fmt.Sprintf("%d-%s", i+1, path.Base(p.Path))
			r.series.Members = append(r.series.Members, Member{Package: p.Path, Dir: p.Dir, Out: out})
		}
	}
	if len(r.series.Members) == 0 {
		return fmt.Errorf("none of the %d packages has tests", len(packages))
	}
	return r.forget()
}

// buildFlags are those for the go command.
func (o Options) buildFlags() []string {
	if o.Tags == "" {
		return o.Flags
	}
	return append([]string{"-tags=" + o.Tags}, o.Flags...)
}

// glances looks at each package that has not been looked at, and puts them
// into the order in which they are repaired.
func (r *seriesRun) glances(ctx context.Context) error {
	for i := range r.series.Members {
		m := &r.series.Members[i]
		if m.Status != "" || m.Glance.Seconds > 0 {
			continue
		}
		if ctx.Err() != nil {
			break // the budget is spent: what was not looked at is said at the end
		}
		r.o.Observer.Phase("looking at %s (%d of %d)", r.name(*m), i+1, len(r.series.Members))
		r.glance(ctx, m)
		if err := r.save(); err != nil {
			return err
		}
	}
	slices.SortStableFunc(r.series.Members, func(a, b Member) int {
		return cmp.Or(cmp.Compare(a.place(), b.place()), a.Glance.compare(b.Glance))
	})
	return r.save()
}

// place puts what is not to be repaired behind what is.
func (m Member) place() int {
	if m.Status == "" || m.Begun {
		return 0
	}
	return 1
}

// open tells whether a member is to be repaired: it was not tried, or not to its end.
func (m Member) open() bool { return m.Out != "" && (m.Status == "" || m.Unfinished) }

// members repairs what is to be repaired, each with its share of the budget,
// and then, as long as there is time, what ran out of its share.
func (r *seriesRun) members(ctx context.Context) error {
	for again := false; ; again = true {
		var open []*Member
		for i := range r.series.Members {
			if m := &r.series.Members[i]; m.open() {
				open = append(open, m)
			}
		}
		if len(open) == 0 || again && r.o.Out == "" { // nothing is kept to go on with
			return nil
		}
		for i, m := range open {
			share := time.Until(r.deadline()) / time.Duration(len(open)-i)
			if share < leastShare || ctx.Err() != nil {
				return nil
			}
			if err := r.member(ctx, m, share); err != nil {
				return err
			}
		}
	}
}

// leastShare is the time in which a repair can do something, for it has to
// build the tests. Guessed.
const leastShare = 5 * time.Second

// member repairs a package, or goes on with it, for some time; what mends
// others is tried first.
func (r *seriesRun) member(ctx context.Context, m *Member, share time.Duration) error {
	o := r.o
	o.Dir, o.Package, o.Out = m.Dir, m.Package, r.below(m.Out)
	o.Observer, o.known = named{r.o.Observer, r.name(*m)}, r.known
	o.Resume, o.Budget = false, share.Truncate(time.Second)
	if spent, ok := resumable(o.Out); ok && m.Begun && o.Out != "" {
		o.Resume, o.Budget = true, (spent + share).Truncate(time.Second)
	}
	m.Begun, m.Budget = true, o.Budget.Seconds()
	if err := r.save(); err != nil {
		return err
	}
	o.Observer.Search(evolve.Event{}) // what was told of the search before is over
	result, err := r.repair(ctx, o)
	m.take(result)
	if result.Status == Fixed {
		r.known = append(r.known, result.known(r.name(*m)))
	}
	m.Unfinished = stopped(ctx, result)
	if err != nil && ctx.Err() == nil {
		m.Status, m.Reason, m.Unfinished = Failed, err.Error(), false
	}
	if m.Status != result.Status || err != nil { // else the repair has said how it ended
		r.o.Observer.Printf("%s: %s", r.name(*m), m.line())
	}
	return r.save()
}

// stopped tells whether a repair was ended from outside, by the budget or
// because ctx ended.
func stopped(ctx context.Context, res *Result) bool {
	return res.Status != Fixed && (ctx.Err() != nil || res.spent)
}

// take keeps what a repair has found.
func (m *Member) take(res *Result) {
	m.Status, m.Reason, m.Seconds = res.Status, res.Reason, res.Seconds
	m.Patch, m.Partial = "", nil
	switch {
	case len(res.Failures) > 0:
		m.Failures = nil
		for _, f := range res.Failures {
			m.Failures = append(m.Failures, f.Message)
		}
	case len(m.Failures) > 0 && res.Status == NotReproduced:
		m.Status, m.Reason = NotFixed, "the quick look has seen it, the repair has not: "+res.Reason
	}
	if len(res.Fixes) > 0 {
		m.Patch = path.Join(m.Out, res.Fixes[0].Patch)
	}
	for _, f := range res.PartialFixes {
		m.Partial = append(m.Partial, path.Join(m.Out, f.Patch))
	}
}

// line says in words what became of a member.
func (m Member) line() string {
	text := string(m.Status)
	if m.Reason != "" {
		text += ": " + m.Reason
	}
	return text
}

// conclude gives what was not tried its status, and the series its own.
func (r *seriesRun) conclude(ctx context.Context) {
	s := r.series
	s.Seconds = r.spent()
	why := fmt.Sprintf("the budget of %v was spent before its turn", r.o.Budget)
	if ctx.Err() != nil {
		why = "interrupted before its turn"
	}
	for i := range s.Members {
		m := &s.Members[i]
		m.Within = ""
		if m.Status != "" {
			continue
		}
		m.Status, m.Reason, m.Unfinished = NotReproduced, why, true
		if len(m.Failures) > 0 {
			m.Status = NotFixed
		}
	}
	s.Status = statusOf(s.Members)
	s.Notes = r.relate()
}

// statusOf is the status of a series.
func statusOf(members []Member) Status {
	has := map[Status]bool{}
	for _, m := range members {
		has[m.Status] = true
	}
	for _, status := range []Status{NotFixed, Fixed, Failed} {
		if has[status] {
			return status
		}
	}
	return NotReproduced
}

// fixed is how many members are.
func (s *Series) fixed() int {
	n := 0
	for _, m := range s.Members {
		if m.Status == Fixed {
			n++
		}
	}
	return n
}

// spent is how long the series has worked, in seconds.
func (r *seriesRun) spent() float64 { return r.before + time.Since(r.began).Seconds() }

// name is what a member is called in the log.
func (r *seriesRun) name(m Member) string { return r.series.name(m) }

// name is a member's directory in the module, or the end of its import path at
// the module's root.
func (s *Series) name(m Member) string {
	rel, err := filepath.Rel(s.Module, m.Dir)
	if err != nil || rel == "." {
		return path.Base(m.Package)
	}
	return filepath.ToSlash(rel)
}

// named tells an observer of a member under its name.
type named struct {
	Observer
	name string
}

func (n named) Phase(format string, args ...any) {
	n.Observer.Phase("%s: %s", n.name, fmt.Sprintf(format, args...))
}

func (n named) Search(e evolve.Event) {
	if e.Of != "" {
		e.Of = ": " + e.Of
	}
	e.Of = n.name + e.Of
	n.Observer.Search(e)
}

func (n named) Printf(format string, args ...any) {
	n.Observer.Printf("%s: %s", n.name, fmt.Sprintf(format, args...))
}

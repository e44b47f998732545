package batch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"time"

	"mendel/evolve"
	"mendel/internal/gotool"
	"mendel/internal/journal"
	"mendel/internal/overrun"
	"mendel/internal/repair"
	"mendel/internal/repair/original"
	"mendel/internal/result"
	"mendel/internal/store"
)

// A Series is the repairs of several packages, one after the other within one
// budget; it is what series.json holds.
type Series struct {
	// Status is Fixed when every failure seen is fixed and there was one,
	// Incomplete when the validation of one of the fixes is, NotFixed when a failure stays, NotReproduced when none
	// was seen, and Failed when none was seen and a package could not be tried.
	Status   result.Status   `json:"status"`
	Patterns []string        `json:"patterns"`
	Module   string          `json:"module"` // directory of go.mod
	Seed     uint64          `json:"seed"`
	Budget   float64         `json:"budget"`             // seconds, for all
	Seconds  float64         `json:"seconds"`            // spent
	Packages []Package       `json:"members"`            // in the order in which they are repaired
	Combined []Combination   `json:"combined,omitempty"` // of the fixes, where several are to be applied
	Untested []string        `json:"untested,omitempty"` // packages without tests
	Notes    []string        `json:"notes,omitempty"`
	Options  journal.Options `json:"options"` // that the series goes on with

	out string // directory; "": nothing is written
}

// A Package is a package of a series, and what became of it.
type Package struct {
	Path string `json:"package"` // import path
	Dir  string `json:"dir"`
	// Out is the directory of its own repair below the series', with slashes.
	Out      string          `json:"out,omitempty"`
	Triage   original.Triage `json:"glance"`
	Status   result.Status   `json:"status,omitempty"` // "": not tried yet
	Reason   string          `json:"reason,omitempty"` // in words, when there is no fix
	Failures []string        `json:"failures"`         // messages, most telling first
	Patch    string          `json:"patch,omitempty"`  // of the best fix, below the series' directory, with slashes
	// Within names another package whose fix has all edits of this one and more:
	// only one of both patches can be applied.
	Within string `json:"within,omitempty"`
	// Partial are patches that mend some of the failures only.
	Partial []string `json:"partial,omitempty"`
	// Unfinished says that the repair was stopped: more time may bring a fix.
	Unfinished bool `json:"unfinished,omitempty"`
	// Seldom says that only tests which depend on time fail, in few noised runs: such a failure does not count where
	// another package was fixed.
	Seldom  bool    `json:"seldom,omitempty"`
	Begun   bool    `json:"begun,omitempty"` // there is something in Out
	Budget  float64 `json:"budget"`          // seconds that it was given
	Seconds float64 `json:"seconds"`         // that its repair has taken
}

// Run repairs the packages that patterns match, "./..." as a rule. A quick
// look at each orders them by how easy they seem; then each is repaired in a
// directory of its own below o.Out. Those that fail share the budget; one of which the
// look shows nothing has what they leave. A package that does not build is named, and the others go on. With
// o.Resume the series in o.Out goes on with the options it was begun with, but for
// o.Budget if that is given: it is the new whole budget. Patterns are not used then.
//
// The series is nil only if it could not begin. When ctx ends it holds what was
// done until then, and the error is ctx's.
func Run(ctx context.Context, o result.Wanted, patterns []string) (*Series, error) {
	r := &run{o: o.WithDefaults(), given: o.Budget, repair: repair.Run, look: repair.Look, began: time.Now()}
	r.check = r.typeCheck
	return r.all(ctx, patterns)
}

// A run is a series under way.
type run struct {
	o      result.Wanted
	given  time.Duration // budget as the caller gave it; 0: none
	repair func(context.Context, result.Wanted, ...repair.Transferred) (*result.Result, error)
	look   func(context.Context, result.Wanted) (original.Triage, []string, error)
	check  func(ctx context.Context, dir string, files gotool.Overlay, packages []string) error

	series *Series
	fixes  []repair.Transferred // of the packages that are fixed
	began  time.Time
	before float64 // seconds spent in earlier runs
}

func (r *run) all(ctx context.Context, patterns []string) (_ *Series, err error) {
	if err := r.o.Check(); err != nil {
		return nil, err
	}
	if r.o.Out != "" {
		if err := result.PrepareOut(r.o.Out); err != nil {
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
	r.o.Observer.Printf("repairing %s: budget %v, seed %d", countPackages(len(r.series.Packages)), r.o.Budget, r.o.Seed)
	for _, p := range r.series.Packages {
		if p.Status == result.Failed {
			r.o.Observer.Printf("%s: %s", r.name(p), p.line())
		}
	}
	budget, cancel := context.WithDeadline(ctx, r.deadline())
	defer cancel()
	written := overrun.Watch(budget)
	// The end of a package's share ends the package alone.
	if err = r.triages(overrun.Without(budget), overrun.Without(ctx)); err == nil {
		err = r.repairAll(overrun.Without(ctx))
	}
	written()
	r.conclude(ctx)
	err = errors.Join(err, r.combine(ctx))
	r.o.Observer.Printf("ended: %s after %.1f s; %d of %s fixed", r.series.Status, r.series.Seconds, r.series.fixed(), countPackages(len(r.series.Packages)))
	return r.series, errors.Join(err, r.save(), ctx.Err())
}

// countPackages is a number of packages in words.
func countPackages(n int) string {
	if n == 1 {
		return "1 package"
	}
	return fmt.Sprintf("%d packages", n)
}

// deadline is the end of the budget.
func (r *run) deadline() time.Time {
	return r.began.Add(r.o.Budget - time.Duration(r.before*float64(time.Second)))
}

// open finds the packages, or takes up the series in the output directory.
func (r *run) open(ctx context.Context, patterns []string) error {
	if r.o.Resume {
		return r.reopen()
	}
	tool, err := gotool.Open(ctx, r.o.Dir)
	if err != nil {
		return err
	}
	packages, err := tool.Packages(ctx, result.BuildFlags(r.o.Tags, r.o.Flags), patterns...)
	if err != nil {
		return err
	}
	r.series = &Series{
		Patterns: patterns, Module: tool.ModuleDir, Seed: r.o.Seed, Budget: r.o.Budget.Seconds(),
		Options: journal.Store(r.o), out: r.o.Out,
	}
	for i, p := range packages {
		switch {
		case p.Problem != "":
			r.series.Packages = append(r.series.Packages, Package{Path: p.Path, Dir: p.Dir, Status: result.Failed, Reason: p.Problem})
		case !p.Tests:
			r.series.Untested = append(r.series.Untested, p.Path)
		default:
			out := fmt.Sprintf("%d-%s", i+1, path.Base(p.Path))
			r.series.Packages = append(r.series.Packages, Package{Path: p.Path, Dir: p.Dir, Out: out})
		}
	}
	if len(r.series.Packages) == 0 {
		return fmt.Errorf("none of the %d packages has tests", len(packages))
	}
	return r.forget()
}

// reopen goes on with the series in the output directory.
func (r *run) reopen() error {
	s, err := Read(r.o.Out)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s has no %s: name the --out directory of a repair of several packages", r.o.Out, Name)
	}
	if err != nil {
		return err
	}
	o := s.Options.Wanted()
	o.Out, o.Observer, o.Verbose, o.Resume = r.o.Out, r.o.Observer, r.o.Verbose, true
	if r.given > 0 {
		o.Budget = r.given
	}
	r.o, r.series, r.before = o.WithDefaults(), s, s.Seconds
	s.Budget = r.o.Budget.Seconds()
	for i := range s.Packages {
		p := &s.Packages[i]
		if p.Unfinished && !p.Begun {
			p.Status, p.Reason, p.Unfinished = "", "", false
		}
		if p.Status != result.Fixed {
			continue
		}
		k, err := repair.ReadTransferred(r.name(*p), r.below(p.Out))
		if err != nil {
			return err
		}
		r.fixes = append(r.fixes, k)
	}
	if left := time.Until(r.deadline()); left < leastShare {
		r.o.Observer.Printf("note: the budget of %v is spent; give more with --budget", r.o.Budget)
	}
	return nil
}

// below is a path below the output directory; "" if there is none.
func (r *run) below(out string) string {
	if r.o.Out == "" {
		return ""
	}
	return filepath.Join(r.o.Out, filepath.FromSlash(out))
}

// save writes series.json as things are now.
func (r *run) save() error {
	if r.o.Out == "" {
		return nil
	}
	r.series.Seconds = r.spent()
	data, err := r.series.JSON()
	if err != nil {
		return err
	}
	if err := gotool.WriteFile(filepath.Join(r.o.Out, Name), data); err != nil {
		return fmt.Errorf("save the series: %w", err)
	}
	return nil
}

// forget removes the patches of an earlier series of other packages, lest they
// be taken for those of this one.
func (r *run) forget() error {
	if r.o.Out == "" {
		return nil
	}
	old, err := Read(r.o.Out)
	if err != nil {
		return nil // there is none, or nothing that could be told of it
	}
	if err := result.Remove(r.o.Out, fmt.Sprintf(combinedName, "*")); err != nil {
		return err
	}
	for _, p := range old.Packages {
		if p.Out == "" || slices.ContainsFunc(r.series.Packages, func(n Package) bool { return n.Out == p.Out }) {
			continue
		}
		if err := result.RemoveOutcome(r.below(p.Out)); err != nil {
			return err
		}
	}
	return nil
}

// triages looks at each package that has not been looked at, as long as that leaves
// enough for repairs, and puts them into the order in which they are repaired. One
// package alone has the whole budget anyway: what a look shows, its repair shows too. Those whose tests
// start goroutines come first, and the first that is seen to fail at once, or of which a look was too short to make a
// run, is repaired before others are looked at, unless that takes next to nothing of the budget.
func (r *run) triages(ctx, repairs context.Context) error {
	if len(r.series.Packages) == 1 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, time.Duration(looksShare*float64(time.Until(r.deadline()))))
	defer cancel()
	r.likeliestFirst()
	for i, begun := 0, false; i < len(r.series.Packages); i++ {
		p := &r.series.Packages[i]
		if p.Status != "" || p.Triage.Seconds > 0 {
			begun = begun || p.Begun
			continue
		}
		if ctx.Err() != nil {
			break // what was not looked at is repaired, or said at the end
		}
		r.o.Observer.Phase("looking at %s (%d of %d)", r.name(*p), i+1, len(r.series.Packages))
		*p = r.triage(ctx, *p)
		if p.Status != "" {
			r.o.Observer.Printf("%s: %s", r.name(*p), p.line())
		}
		if err := r.save(); err != nil {
			return err
		}
		looks, rest := time.Duration(len(r.series.Packages)-i-1)*triageBudget, time.Until(r.deadline())
		shows := class(p.Triage) == 0 || p.Triage.Runs == 0 // a look at another one would be as short
		if !begun && looks > rest/cheapLooks && p.Status == "" && shows {
			begun = true
			if err := r.repairOne(repairs, p, rest-min(rest/3, looks)); err != nil {
				return err
			}
		}
	}
	slices.SortStableFunc(r.series.Packages, func(a, b Package) int {
		return cmp.Or(cmp.Compare(a.place(), b.place()), compare(a.Triage, b.Triage))
	})
	return r.save()
}

// place puts what is not to be repaired behind what is.
func (p Package) place() int {
	if p.Status == "" || p.Begun {
		return 0
	}
	return 1
}

// open reports whether a package is to be repaired: it was not tried, or not to its end.
func (p Package) open() bool { return p.Out != "" && (p.Status == "" || p.Unfinished) }

// repairAll repairs what is to be repaired: first what fails, then what was not looked at, then those of which a look
// has shown nothing and could not show all. A part of the budget is kept for the ones that come later. What one
// does not need goes to the others.
func (r *run) repairAll(ctx context.Context) error {
	for open := -1; open != r.count(Package.unseen); { // each round may show one more to fail
		open = r.count(Package.unseen)
		if err := r.rounds(ctx, Package.fails, leastShare, r.keptForUnknown()+r.kept()); err != nil {
			return err
		}
		if err := r.rounds(ctx, Package.unknown, leastShare, r.kept()); err != nil {
			return err
		}
		if open != r.count(Package.unseen) {
			continue // what has shown to fail goes on first
		}
		if err := r.rounds(ctx, Package.quiet, longerLook, 0); err != nil {
			return err
		}
	}
	return r.rounds(ctx, Package.mayFail, leastShare, 0)
}

// count counts the packages of a kind that are to be repaired.
func (r *run) count(of func(Package) bool) (n int) {
	for _, p := range r.series.Packages {
		if p.open() && of(p) {
			n++
		}
	}
	return n
}

// rounds repairs packages of a kind, each with its share of what the budget has beyond
// what is kept for others, and then what ran out of its share, as long as a share is
// not less than something can be done in. It ends when one has shown to be of another kind.
func (r *run) rounds(ctx context.Context, of func(Package) bool, least, kept time.Duration) error {
	for {
		var open []*Package
		for i := range r.series.Packages {
			p := &r.series.Packages[i]
			nothingKept := p.Begun && r.o.Out == "" // to go on with
			if p.open() && of(*p) && !nothingKept {
				open = append(open, p)
			}
		}
		if len(open) == 0 {
			return nil
		}
		for i, p := range open {
			share := (time.Until(r.deadline()) - kept) / time.Duration(len(open)-i)
			if share < least || ctx.Err() != nil {
				return nil
			}
			if err := r.repairOne(ctx, p, share); err != nil {
				return err
			}
			if p.open() && !of(*p) { // it fails: others of the kind wait
				return nil
			}
		}
	}
}

// quiet reports whether nobody has seen a failure of a package that was looked at.
func (p Package) quiet() bool {
	return p.Triage.Runs > 0 && class(p.Triage) > seen && !(p.Begun && len(p.Failures) > 0)
}

// fails reports whether somebody has seen a failure of a package.
func (p Package) fails() bool {
	return p.Triage.Seconds > 0 && class(p.Triage) <= seen || p.Begun && len(p.Failures) > 0
}

// unseen reports whether nobody has.
func (p Package) unseen() bool { return !p.fails() }

// unknown reports whether nobody has, and none was looked for in time.
func (p Package) unknown() bool { return !p.fails() && !p.quiet() }

// mayFail reports whether a package is known to fail, or nothing is known of it.
func (p Package) mayFail() bool { return !p.quiet() }

// unknownShare is the part of what is left, one of so many, that is kept at most for the packages of which nothing is
// known while others fail. Guessed.
const unknownShare = 4

// keptForUnknown is what is kept for these.
func (r *run) keptForUnknown() time.Duration {
	return min(time.Duration(r.count(Package.unknown))*triageBudget, time.Until(r.deadline())/unknownShare)
}

// quietShare is the part of what is left, one of so many, that is kept for all packages
// that a longer look may show to fail. Guessed.
const quietShare = 10

// kept is what is kept for these; 0 if there are none, or it would be too little.
func (r *run) kept() time.Duration {
	brief := 0
	for _, p := range r.series.Packages {
		if p.open() && p.quiet() && p.Triage.Brief() {
			brief++
		}
	}
	kept := time.Until(r.deadline()) / quietShare
	if brief == 0 || kept < time.Duration(brief)*longerLook {
		return 0
	}
	return kept
}

// leastShare is the time in which a repair can do something, for it has to
// build the tests. Guessed.
const leastShare = 5 * time.Second

// repairOne repairs a package, or goes on with it, for some time; what mends
// others is tried first. What a package that fails has a candidate for in this time is validated to the end, as far as
// the budget of all reaches: a candidate is more than what others may have.
func (r *run) repairOne(ctx context.Context, p *Package, share time.Duration) error {
	o := r.o
	o.Dir, o.Package, o.Out = p.Dir, p.Path, r.below(p.Out)
	o.Observer = result.Named(r.o.Observer, r.name(*p))
	o.Resume, o.Budget, o.SearchBudget = false, share.Truncate(time.Second), 0
	if p.fails() {
		o.SearchBudget, o.Budget = o.Budget, max(share, time.Until(r.deadline())).Truncate(time.Second)
	}
	if spent, ok := journal.Spent(o.Out); ok && p.Begun && o.Out != "" {
		o.Resume, o.Budget = true, (spent + o.Budget).Truncate(time.Second)
		if o.SearchBudget > 0 {
			o.SearchBudget += spent
		}
	}
	p.Begun, p.Budget = true, cmp.Or(o.SearchBudget, o.Budget).Seconds()
	if err := r.save(); err != nil {
		return err
	}
	o.Observer.Search(evolve.Event{}) // what was told of the search before is over
	res, err := r.repair(ctx, o, r.fixes...)
	p.take(res)
	if res.Status == result.Fixed {
		r.fixes = append(r.fixes, repair.Transfer(r.name(*p), res))
	}
	p.Unfinished = stopped(ctx, res)
	if err != nil && ctx.Err() == nil {
		p.Status, p.Reason, p.Unfinished = result.Failed, err.Error(), false
	}
	if p.Status != res.Status || err != nil { // else the repair has said how it ended
		r.o.Observer.Printf("%s: %s", r.name(*p), p.line())
	}
	return r.save()
}

// stopped reports whether a repair was ended from outside, by the budget or
// because ctx ended.
func stopped(ctx context.Context, res *result.Result) bool {
	return res.Status != result.Fixed && (ctx.Err() != nil || result.LiveOf(res).Spent)
}

// take keeps what a repair has found.
func (p *Package) take(res *result.Result) {
	p.Status, p.Reason, p.Seconds = res.Status, res.Reason, res.Seconds
	p.Patch, p.Partial = "", nil
	p.Seldom = result.LiveOf(res).Seldom
	switch {
	case len(res.Failures) > 0:
		p.Failures = nil
		for _, f := range res.Failures {
			p.Failures = append(p.Failures, f.Message)
		}
	case len(p.Failures) > 0 && res.Status == result.NotReproduced:
		p.Status, p.Reason = result.NotFixed, "the quick look has seen it, the repair has not: "+res.Reason
	}
	if len(res.Fixes) > 0 {
		p.Patch = path.Join(p.Out, res.Fixes[0].Patch)
	}
	for _, f := range res.PartialFixes {
		p.Partial = append(p.Partial, path.Join(p.Out, f.Patch))
	}
}

// line says in words what became of a package.
func (p Package) line() string {
	text := string(p.Status)
	if p.Reason != "" {
		text += ": " + p.Reason
	}
	return text
}

// conclude gives what was not tried its status, and the series its own.
func (r *run) conclude(ctx context.Context) {
	s := r.series
	s.Seconds = r.spent()
	why := fmt.Sprintf("the budget of %v was spent before its turn", r.o.Budget)
	if ctx.Err() != nil {
		why = "interrupted before its turn"
	}
	for i := range s.Packages {
		p := &s.Packages[i]
		if p.Status != "" {
			continue
		}
		p.Status, p.Reason, p.Unfinished = result.NotReproduced, cmp.Or(p.Reason, why), true
		if len(p.Failures) > 0 {
			p.Status = result.NotFixed
		}
	}
	s.Status = statusOf(s.Packages)
	within, notes := relate(r.fixes)
	s.Notes = notes
	for i := range s.Packages {
		s.Packages[i].Within = within[r.name(s.Packages[i])]
	}
}

// statusOf is the status of a series.
func statusOf(packages []Package) result.Status {
	has := map[result.Status]bool{}
	fixed := slices.ContainsFunc(packages, func(p Package) bool { return p.Status == result.Fixed })
	for _, p := range packages {
		if !fixed || !p.Seldom || p.Status != result.NotFixed {
			has[p.Status] = true
		}
	}
	for _, status := range []result.Status{result.NotFixed, result.Incomplete, result.Worked, result.Fixed, result.Failed} {
		if has[status] {
			return status
		}
	}
	return result.NotReproduced
}

// fixed is how many packages are.
func (s *Series) fixed() int {
	n := 0
	for _, p := range s.Packages {
		if p.Status == result.Fixed {
			n++
		}
	}
	return n
}

// spent is how long the series has worked, in seconds.
func (r *run) spent() float64 { return r.before + time.Since(r.began).Seconds() }

// name is what a package is called in the log.
func (r *run) name(p Package) string { return r.series.name(p) }

// name is a package's directory in the module, or the end of its import path at
// the module's root.
func (s *Series) name(p Package) string {
	rel, err := filepath.Rel(s.Module, p.Dir)
	if err != nil || rel == "." {
		return path.Base(p.Path)
	}
	return filepath.ToSlash(rel)
}

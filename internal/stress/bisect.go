package stress

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"mendel/analysis/evidence"
	"mendel/checker"
	"mendel/internal/change"
	"mendel/internal/gotool"
)

// What is known of a commit.
const (
	Good    = "good"    // enough runs passed
	Bad     = "bad"     // it fails as the last commit does
	Skipped = "skipped" // it cannot be told: see the reason
)

// A Bisection is the search for the commit that brought a failure.
type Bisection struct {
	Good      string           `json:"good"` // commits
	Bad       string           `json:"bad"`
	Failure   evidence.Failure `json:"failure"` // that is looked for: of Bad
	Mode      string           `json:"mode"`    // of the runs
	Rate      Rate             `json:"rate"`    // of the failure in that mode at Bad
	Needed    int              `json:"needed"`  // runs that have to pass until a commit is taken for good
	Commits   []Judged         `json:"commits"` // in the order in which they were looked at
	First     *change.Commit   `json:"first,omitempty"`
	Suspected []change.Commit  `json:"suspected,omitempty"` // if it is one of several, for some were skipped
	// Doubt is the chance, at most, that a commit was taken for good which fails as often
	// as Bad does: then an earlier one brought the failure.
	Doubt float64 `json:"doubt"`
}

// A Judged commit.
type Judged struct {
	change.Commit
	Verdict  string  `json:"verdict"`
	Reason   string  `json:"reason,omitempty"`
	Schedule bool    `json:"schedule,omitempty"` // the schedule of Bad fails here, too
	Runs     int     `json:"runs"`
	Passed   int     `json:"passed"`
	Failed   int     `json:"failed"` // in the way that is looked for
	Doubt    float64 `json:"doubt"`  // of a good one: that so many runs pass although it fails as often as Bad
}

const (
	// mayDoubt is the chance of a wrong answer that is accepted, for all commits together.
	mayDoubt = 0.05
	// enoughFailures tell how often the last commit fails: more runs would make the
	// interval little smaller. Chosen.
	enoughFailures = 20
)

// A bisecting is a Bisection under way.
type bisecting struct {
	o        Options
	history  *change.History
	told     *Bisection
	schedule *checker.Schedule // of the failure at Bad; nil: none
	tests    []string          // in which it fails
}

// bisect looks for the commit in o.Bisect that brought what fails in the last one, and
// takes over what that shows.
func bisect(ctx context.Context, o Options, res *Result) error {
	temp, remove, err := gotool.TempDir()
	if err != nil {
		return fmt.Errorf("make a directory for the worktree: %w", err)
	}
	defer remove() // what cannot be removed changes nothing
	tool, err := gotool.Open(ctx, o.Dir)
	if err != nil {
		return err
	}
	h, err := change.OpenHistory(ctx, tool.Dir, o.Bisect, filepath.Join(temp, "tree"))
	if err != nil {
		return fmt.Errorf("--bisect: %w", err)
	}
	defer func() {
		if left := h.Close(); left != nil {
			res.Notes = append(res.Notes, "the worktree is not removed: "+left.Error())
		}
	}()
	b := &bisecting{o: o, history: h, told: &Bisection{Good: h.Good, Bad: h.Bad, Commits: []Judged{}}}
	if err := b.last(ctx, tool.ModuleDir, res); err != nil || len(res.Groups) == 0 {
		return err
	}
	res.Bisection = b.told
	if err := b.first(ctx); err != nil {
		return err
	}
	return b.search(ctx)
}

// last repeats the tests of the last commit, and chooses what to look for: what is seen
// most, in the mode that shows it fastest. module is that of the user.
func (b *bisecting) last(ctx context.Context, module string, res *Result) error {
	dir, err := b.history.Checkout(ctx, b.told.Bad)
	if err != nil {
		return err
	}
	o := b.o
	o.Dir = dir
	o.Observer.Phase("repeating the tests of %.12s", b.told.Bad)
	s, err := open(ctx, o)
	if err != nil {
		return fmt.Errorf("at %.12s: %w", b.told.Bad, err)
	}
	defer s.close()
	s.stop = func() bool {
		return slices.ContainsFunc(s.modes, func(m *mode) bool {
			return slices.ContainsFunc(s.groups, func(g *group) bool { return g.seen[m.name] >= enoughFailures })
		})
	}
	if err := s.repeat(ctx, o.Budget); err != nil {
		return err
	}
	res.Target.Module, res.Target.Package = module, s.program.Packages[0].Path
	g, m := s.fastest()
	res.take(s)
	res.moved(s.tool.ModuleDir, module)
	if g == nil {
		if len(res.Groups) > 0 {
			return errors.New("only the search of the checker fails, and no run does: there is no telling how often; give more time with --budget")
		}
		return nil
	}
	b.told.Failure = moved(g.Failure, s.tool.ModuleDir, module)
	b.told.Mode, b.told.Rate = m.name, rateOf(g.seen[m.name], m.runsOf(g))
	if g.schedule != nil {
		b.schedule = &g.schedule.Schedule
	}
	for _, name := range g.tests {
		name, _, _ = strings.Cut(name, "/")
		b.tests = append(b.tests, name)
	}
	commits, err := b.history.Between(ctx, b.told.Bad, []string{b.told.Good})
	if err != nil {
		return err
	}
	steps := math.Ceil(math.Log2(float64(len(commits)))) + 1 // with Good itself
	b.told.Needed = needed(b.told.Rate, mayDoubt/steps)
	return b.note(ctx, Judged{
		Commit: change.Commit{Hash: b.told.Bad}, Verdict: Bad, Runs: b.told.Rate.Runs, Failed: b.told.Rate.Failed,
		Passed: m.runs - m.failed,
	})
}

// fastest is the group that is most frequent, at the lower end of its interval, and the
// mode that shows it in the shortest time; nil if no run has failed.
func (s *subject) fastest() (*group, *mode) {
	var best *group
	var how *mode
	speed := 0.0
	for _, g := range s.groups {
		for _, m := range s.modes {
			if g.seen[m.name] == 0 {
				continue
			}
			r := rateOf(g.seen[m.name], m.runsOf(g))
			if v := r.Low * float64(m.runs) / m.seconds; v > speed {
				best, how, speed = g, m, v
			}
		}
	}
	return best, how
}

// needed is how many runs have to pass until a failure that is as frequent as before,
// at the lower end of its interval, would have passed them all with less than a chance.
func needed(r Rate, chance float64) int {
	if r.Low >= 1 {
		return 1
	}
	return max(1, int(math.Ceil(math.Log(chance)/math.Log1p(-r.Low))))
}

// first looks at the commit that is said to be good.
func (b *bisecting) first(ctx context.Context) error {
	j, err := b.judge(ctx, b.told.Good)
	if err != nil {
		return err
	}
	if j.Verdict == Skipped {
		j.Reason += "; it is believed to be good"
	}
	if err := b.note(ctx, j); err != nil {
		return err
	}
	if j.Verdict == Bad {
		return fmt.Errorf("%.12s fails likewise: name an earlier commit as good", b.told.Good)
	}
	return nil
}

// search halves the commits until one is left, or only such as cannot be judged.
func (b *bisecting) search(ctx context.Context) error {
	bad, good, skipped := b.told.Bad, []string{b.told.Good}, []string(nil)
	for {
		commit, err := b.history.Next(ctx, bad, good, skipped)
		if err != nil {
			return err
		}
		if commit == "" {
			return b.conclude(ctx, bad, good)
		}
		j, err := b.judge(ctx, commit)
		if err != nil {
			return err
		}
		switch j.Verdict {
		case Bad:
			bad = commit
		case Good:
			good = append(good, commit)
		default:
			skipped = append(skipped, commit)
		}
		if err := b.note(ctx, j); err != nil {
			return err
		}
	}
}

// conclude says which commit it was, or which it may have been.
func (b *bisecting) conclude(ctx context.Context, bad string, good []string) error {
	left, err := b.history.Between(ctx, bad, good)
	if err != nil {
		return err
	}
	for _, j := range b.told.Commits {
		b.told.Doubt = min(b.told.Doubt+j.Doubt, 1)
	}
	for _, commit := range left {
		c, err := b.history.Commit(ctx, commit)
		if err != nil {
			return err
		}
		if len(left) == 1 {
			b.told.First = &c
			return nil
		}
		b.told.Suspected = append(b.told.Suspected, c)
	}
	return nil
}

// note takes over what is known of a commit.
func (b *bisecting) note(ctx context.Context, j Judged) error {
	var err error
	if j.Commit, err = b.history.Commit(ctx, j.Hash); err != nil {
		return err
	}
	b.told.Commits = append(b.told.Commits, j)
	b.o.Observer.Printf("%s", j)
	return nil
}

// judge looks at a commit. What does not build, or has not got the test, is skipped.
func (b *bisecting) judge(ctx context.Context, commit string) (Judged, error) {
	j := Judged{Commit: change.Commit{Hash: commit}, Verdict: Skipped}
	o := b.o
	o.Modes = []string{b.told.Mode}
	if b.schedule != nil && b.told.Mode != Controlled {
		o.Modes = append(o.Modes, Controlled)
	}
	b.o.Observer.Phase("trying %.12s", commit)
	var err error
	if o.Dir, err = b.history.Checkout(ctx, commit); err == nil {
		var s *subject
		if s, err = open(ctx, o); err == nil {
			defer s.close()
			err = b.try(ctx, s, &j)
		}
	}
	if ctx.Err() != nil {
		return j, ctx.Err()
	}
	if err != nil {
		j.Reason = err.Error()
	}
	return j, nil
}

// try follows the schedule of the last commit in a program, and then makes runs.
func (b *bisecting) try(ctx context.Context, s *subject, j *Judged) error {
	there := slices.DeleteFunc(slices.Clone(b.tests), func(name string) bool { return !s.program.HasTest(name) })
	if len(b.tests) > 0 && len(there) == 0 {
		return fmt.Errorf("it has no test %s", b.tests[0])
	}
	if b.schedule != nil && s.control != nil {
		r, err := s.control.GuidedReplay(ctx, *b.schedule, checker.GuidedOptions{})
		if err == nil && r.Failure != nil && b.same(r.Failure.Failure) {
			j.Verdict, j.Schedule = Bad, true
			return nil
		}
	}
	m := s.modes[slices.IndexFunc(s.modes, func(m *mode) bool { return m.name == b.told.Mode })]
	s.modes = []*mode{m}
	if m.name == Controlled {
		m.tests = []*controlled{} // nothing is searched for: what the checker finds so is no run
		for _, name := range there {
			m.tests = append(m.tests, &controlled{name: name})
		}
	}
	failed := func() (n int) {
		for _, g := range s.groups {
			if b.same(g.Failure) {
				n += g.seen[m.name]
			}
		}
		return n
	}
	s.wanted = b.same
	s.enough = b.told.Needed
	s.stop = func() bool { return failed() > 0 || m.runs-m.failed >= b.told.Needed }
	if err := s.repeat(ctx, b.o.Budget); err != nil {
		return err
	}
	j.Runs, j.Passed, j.Failed = m.runs, m.runs-m.failed, failed()
	b.decide(j, s, m.why())
	return nil
}

// decide judges a commit by its runs.
func (b *bisecting) decide(j *Judged, s *subject, why string) {
	j.Doubt = math.Pow(1-b.told.Rate.Low, float64(j.Passed))
	switch {
	case j.Failed > 0:
		j.Verdict, j.Doubt = Bad, 0
	case j.Passed >= b.told.Needed:
		j.Verdict = Good
	case len(s.groups) > 0 && j.Passed < j.Runs/2:
		j.Verdict, j.Doubt = Skipped, 0
		j.Reason = "it fails in another way: " + s.groups[0].Message
	case j.Doubt > mayDoubt:
		j.Verdict, j.Doubt = Skipped, 0
		j.Reason = cmp.Or(why, fmt.Sprintf("only %d of %d runs passed within the budget; give more with --budget", j.Passed, b.told.Needed))
	default:
		j.Verdict = Good // less sure than it was meant to be
	}
}

// inLine is the line in a signature.
var inLine = regexp.MustCompile(`\.go:\d+`)

// same reports whether a failure is that which is looked for: the same one, but for lines,
// which move from commit to commit.
func (b *bisecting) same(f evidence.Failure) bool { return sameBut(f, b.told.Failure) }

func sameBut(f, g evidence.Failure) bool {
	places := func(s string) []string {
		kind, list, _ := strings.Cut(inLine.ReplaceAllString(s, ".go"), ": ")
		all := strings.Split(list, ", ")
		slices.Sort(all) // two places of a race may change places with their lines
		return append([]string{kind}, slices.Compact(all)...)
	}
	return slices.Equal(places(f.Signature), places(g.Signature))
}

// moved is a failure with the files of one directory taken for those of another.
func moved(f evidence.Failure, from, to string) evidence.Failure {
	carry := func(frames []evidence.Frame) []evidence.Frame {
		frames = slices.Clone(frames)
		for i := range frames {
			if rel, err := filepath.Rel(from, frames[i].File); err == nil && filepath.IsLocal(rel) {
				frames[i].File = filepath.Join(to, rel)
			}
		}
		return frames
	}
	f.Stacks = slices.Clone(f.Stacks)
	for i := range f.Stacks {
		f.Stacks[i].Frames, f.Stacks[i].Created = carry(f.Stacks[i].Frames), carry(f.Stacks[i].Created)
	}
	return f
}

// moved makes a result that was found in one module directory one of another: that of the
// worktree is gone afterwards.
func (res *Result) moved(from, to string) {
	for i := range res.Groups {
		res.Groups[i].Failure = moved(res.Groups[i].Failure, from, to)
	}
	for _, f := range res.files {
		if f.schedule != nil {
			f.schedule.Dir = to
		}
		if f.unforced != nil {
			f.unforced.Dir = to
		}
	}
}

// String says in a line what is known of a commit.
func (j Judged) String() string {
	text := fmt.Sprintf("%-7s %.12s %s", j.Verdict, j.Hash, j.Subject)
	switch {
	case j.Schedule:
		text += ": the schedule fails here, too"
	case j.Verdict == Bad:
		text += fmt.Sprintf(": %d of %d runs failed", j.Failed, j.Runs)
	case j.Verdict == Good:
		text += fmt.Sprintf(": %d runs passed; the chance to miss the failure is %s %%", j.Passed, percent(j.Doubt))
	default:
		text += ": " + firstLine(j.Reason)
	}
	return text
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line
}

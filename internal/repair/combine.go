package repair

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"mendel/internal/journal"
	"mendel/internal/repair/original"
	"mendel/internal/result"
	"mendel/mutate"
)

// combinationsTried is how many ways of combining the clusters' fixes are tried,
// the best fixes first. Guessed.
const combinationsTried = 8

// togetherShare is the part of the time, one of so many, that the search for a
// fix of all failures may take. Guessed.
const togetherShare = 3

// ownShare is how many times the time that it took to reproduce the failures a cause must have for a
// repair of its own, which reproduces its failure once more. Guessed.
const ownShare = 3

// combined is how a search ended whose fix was put together from others.
const combined = "stacked"

// A cluster is failures of the original that are taken to have one cause, and
// what came of repairing them by themselves.
type cluster struct {
	result.Cluster
	result *result.Result // nil: it was not repaired
}

// pattern is the -run pattern of the cluster's tests.
func (c cluster) pattern() string { return "^(" + strings.Join(c.Tests, "|") + ")$" }

// clusters are the causes of the failures that are to be repaired one by one, if it comes to that.
func (env *environment) clusters(base *original.Baseline) []cluster {
	if env.UntilCandidate || strings.Contains(env.Run, "/") {
		return nil
	}
	var clusters []cluster
	for _, c := range base.Causes() {
		clusters = append(clusters, cluster{Cluster: result.Cluster{Failures: c.Failures, Tests: c.Tests}})
	}
	return clusters
}

// A combination puts the fixes of several clusters together.
type combination struct {
	*judges
	out  *outcome
	last attempt // that came closest
}

// searchClusters repairs failures of several causes. The search for a mutant
// that mends all comes first: it finds fixes of four causes in a third of the
// time that repairing each by itself takes (measured). Where it does not, the
// causes are repaired separately, if there is enough time for that.
func (j *judges) searchClusters(ctx context.Context, before findings, clusters []cluster) (*outcome, error) {
	until, stop := j.searchLimit(ctx)
	defer stop()
	deadline, _ := until.Deadline() // Run has set one
	j.Progress.Note("the failures seem to have %d causes", len(clusters))
	j.Progress.Phase("search", "searching among %d edits", j.narrowed.Edits)
	share := time.Until(deadline) / togetherShare
	if own := (time.Until(deadline) - share).Seconds() / float64(len(clusters)); own < ownShare*j.Progress.Meter.Seconds() {
		out, err := j.search(ctx, before)
		out.causes = len(clusters)
		return out, err
	}
	together, cancel := context.WithTimeout(until, share)
	defer cancel()
	out, err := j.searchUntil(together, ctx, before)
	out.causes = len(clusters)
	if err != nil && !errors.Is(err, errTimeLeft) && (together.Err() == nil || ctx.Err() != nil) {
		return out, err
	}
	if out.fixed() {
		return out, err
	}
	if err := j.validateAgain(ctx, out); err != nil || out.fixed() {
		return out, err
	}
	if err := j.repairSeparately(until, out, clusters); until.Err() == nil || ctx.Err() != nil {
		return out, err
	}
	return out, errTimeLeft
}

// validateAgain validates to the end what the end of the search has interrupted.
func (j *judges) validateAgain(ctx context.Context, out *outcome) error {
	for _, f := range out.ranked() {
		if len(f.Incomplete) == 0 {
			continue
		}
		if _, err := j.attempt(ctx, &out.findings, f.Mutant.Edits); err != nil {
			return err
		}
		if out.fixed() {
			out.reason = ""
			j.show(ctx, out)
			return nil
		}
	}
	return nil
}

// repairSeparately repairs clusters one after the other, each by a repair of its
// own in which its tests alone run, and combines their fixes: edits name places
// in the original, so that the union of two fixes is a mutant as any other. It
// goes through validation with all tests. Without such a fix the single ones
// are partial.
func (j *judges) repairSeparately(ctx context.Context, out *outcome, clusters []cluster) error {
	j.Progress.Printf("no fix of all failures: each of %d causes is repaired by itself, then the fixes are validated together", len(clusters))
	out.clusters = clusters
	c := &combination{judges: j, out: out}
	err := c.run(ctx)
	if out.fixed() {
		out.reason, out.partial = "", nil
		out.ended = combined
		showing, cancel := afterwards(ctx)
		defer cancel()
		j.show(showing, out)
		return err
	}
	c.keepPartialFixes()
	return err
}

// run repairs the clusters and validates the fixes together, after each cluster
// the best ones, for it may be that they mend the others too.
func (c *combination) run(ctx context.Context) error {
	for i := range c.out.clusters {
		if err := c.repairCluster(ctx, i); err != nil {
			return err
		}
		if r := c.out.clusters[i].result; r == nil || len(r.Fixes) == 0 {
			continue
		}
		if err := c.try(ctx, 0, 1); err != nil || c.out.fixed() {
			return err
		}
	}
	return c.try(ctx, 1, combinationsTried)
}

// repairCluster repairs a cluster by itself. Part of the time is left for the
// others and for combining them.
func (c *combination) repairCluster(ctx context.Context, i int) error {
	own := &c.out.clusters[i]
	deadline, _ := ctx.Deadline()
	w := c.wanted
	w.Package, w.NoRace, w.SearchBudget = c.Package, c.NoRace, 0
	w.Run, w.Budget = own.pattern(), (time.Until(deadline) / time.Duration(len(c.out.clusters)-i+1)).Truncate(time.Second)
	w.Observer = result.Named(c.Progress.Observer, fmt.Sprintf("failure %d of %d", i+1, len(c.out.clusters)))
	if w.Out != "" {
		own.Out = result.ClusterDir(i + 1)
		w.Out = filepath.Join(w.Out, own.Out)
	}
	if w.Budget <= 0 {
		return ctx.Err()
	}
	c.Progress.Phase("repair each failure", "repairing %s by itself", strings.Join(own.Tests, ", "))
	c.Journal.GoLive()
	if spent, ok := journal.Spent(w.Out); w.Resume && ok {
		w.Budget += spent
	} else {
		w.Resume = false
	}
	r, err := run(ctx, w, known{transferred: c.known.transferred, failing: c.others(i)})
	own.result, own.Status, own.Reason = r, r.Status, r.Reason
	own.Seconds, own.Evaluations = r.Seconds, r.Search.Evaluations
	if cerr := ctx.Err(); cerr != nil {
		return cerr
	}
	return err
}

// others are the tests that show the failures of the other clusters. A repair of
// cluster i may leave them failing, even if they fail too seldom for its
// validation to see that they fail on the original too.
func (c *combination) others(i int) []string {
	var tests []string
	for k, other := range c.out.clusters {
		if k != i {
			tests = append(tests, other.Tests...)
		}
	}
	return append(tests, c.known.failing...)
}

// try validates combinations of the fixes found until now: of all, in their
// order, those from one up to another.
func (c *combination) try(ctx context.Context, from, to int) error {
	var choices [][]result.Fix
	for _, own := range c.out.clusters {
		if own.result != nil && len(own.result.Fixes) > 0 {
			choices = append(choices, own.result.Fixes)
		}
	}
	if len(choices) == 0 {
		return nil
	}
	ways := combinations(choices, to)
	for _, fixes := range ways[min(from, len(ways)):] {
		c.Progress.Phase("stack", "trying the fixes together")
		a, err := c.attempt(ctx, &c.out.findings, union(fixes))
		if err != nil || c.out.fixed() {
			return err
		}
		if c.last.mutant == nil || a.mutant != nil && a.result.Score >= c.last.result.Score {
			c.last = a
		}
	}
	return nil
}

// combinations are the ways of taking one fix of each cluster, at most so many, those
// of better fixes first.
func combinations(choices [][]result.Fix, most int) [][]result.Fix {
	type way struct {
		fixes []result.Fix
		rank  int // sum of the fixes' places among those of their clusters
	}
	ways := []way{{}}
	for _, fixes := range choices {
		var longer []way
		for _, w := range ways {
			for i, f := range fixes {
				longer = append(longer, way{append(slices.Clone(w.fixes), f), w.rank + i})
			}
		}
		slices.SortStableFunc(longer, func(a, b way) int { return a.rank - b.rank })
		ways = longer[:min(len(longer), most)]
	}
	found := make([][]result.Fix, len(ways))
	for i, w := range ways {
		found[i] = w.fixes
	}
	return found
}

// union are the edits of several fixes, each once.
func union(fixes []result.Fix) []mutate.Edit {
	var edits []mutate.Edit
	for _, f := range fixes {
		for _, e := range f.Edits {
			if !mutate.Has(edits, e) {
				edits = append(edits, e)
			}
		}
	}
	return edits
}

// keepPartialFixes gives the outcome the clusters' own fixes, and says why they
// are not enough.
func (c *combination) keepPartialFixes() {
	var mended, open []string
	for _, own := range c.out.clusters {
		if own.result == nil || len(own.result.Fixes) == 0 {
			open = append(open, fmt.Sprintf("%s (%s)", c.base.Failures[own.Failures[0]].Message, cmp.Or(own.Reason, "the time is over")))
			continue
		}
		fix := own.result.Fixes[0]
		fix.Patch, fix.Mends = path.Join(own.Out, fix.Patch), own.Failures
		c.out.partialFixes = append(c.out.partialFixes, fix)
		mended = append(mended, fix.Patch)
	}
	if len(mended) == 0 {
		return
	}
	c.out.reason = fmt.Sprintf("%d of %d causes of failure mended, each by a patch that is validated with its tests alone (%s)",
		len(mended), len(c.out.clusters), strings.Join(mended, ", "))
	if len(open) > 0 {
		c.out.reason += "; not mended: " + strings.Join(open, "; ")
	}
	if c.last.why != "" {
		c.out.reason += "; with all of them still: " + c.last.why
	}
	c.keepLast()
}

// keepLast puts the combination that came closest before the search's own
// mutants that are no fix.
func (c *combination) keepLast() {
	m, r := c.last.mutant, c.last.result
	if m == nil || r.Refused != "" {
		return
	}
	p := c.newPartial(m, r)
	for _, f := range r.Samples {
		p.remains(f.Message)
	}
	if len(r.Samples) == 0 {
		p.remains(c.last.why)
	}
	c.out.partial = append([]partialMutant{p}, c.out.partial...)
	c.out.partial = c.out.partial[:min(len(c.out.partial), shownPartial)]
}

package mendel

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"mendel/fitness"
	"mendel/mutate"
)

// A knownFix is what has mended another package of the module. Packages that
// use a third one may fail by the same bug there; their fixes should be alike.
type knownFix struct {
	name   string // of the package
	module string // directory
	edits  []mutate.Edit
}

// byAnother is how a search ended that the fix of another package made unnecessary.
const byAnother = "fix of another package"

// tryKnown validates what has mended other packages, where it changes files of
// this program; true when that is a fix here, too.
func (r *repairer) tryKnown(ctx context.Context, before fitness.Result) (bool, error) {
	r.seen = map[string]int{}
	h := &hunt{repairer: r, generation: 1}
	for _, k := range r.o.known {
		if k.module != r.program.Module || !r.has(k.edits) {
			continue
		}
		r.history = newHistory(time.Now(), before.Score)
		r.phase("search", "trying the fix of %s", k.name)
		if _, err := h.tryEdits(ctx, k.edits); err != nil {
			return false, err
		}
		if len(r.fixes) == 0 {
			continue
		}
		r.note("the fix of %s, or a part of it, mends this package too", k.name)
		r.tell()
		r.trace(ctx)
		r.result.Status, r.result.Search.Ended = Fixed, byAnother
		return true, nil
	}
	return false, nil
}

// has tells whether all files that edits concern are in the program.
func (r *repairer) has(edits []mutate.Edit) bool {
	return !slices.ContainsFunc(edits, func(e mutate.Edit) bool { return r.program.File(e.File) == nil })
}

// relate notes which members' fixes are parts of others', and returns that and
// which change the same files, in words.
func (r *seriesRun) relate() (notes []string) {
	for i := range r.known {
		for j := range r.known {
			a, b := r.known[i], r.known[j]
			if i == j || a.module != b.module {
				continue
			}
			within, beyond := mutate.HasAll(b.edits, a.edits), mutate.HasAll(a.edits, b.edits)
			switch file := a.sharedFile(b); {
			case within && !beyond:
				for k := range r.series.Members {
					if m := &r.series.Members[k]; r.name(*m) == a.name {
						m.Within = b.name
					}
				}
				notes = append(notes, fmt.Sprintf("the fix of %s is part of that of %s: apply that one, and run the tests of %s with it", a.name, b.name, a.name))
			case i < j && !within && !beyond && file != "":
				notes = append(notes, fmt.Sprintf("the fixes of %s and %s both change %s: apply one, and repair the other package again if its patch does not apply any more", a.name, b.name, file))
			}
		}
	}
	return notes
}

// sharedFile is a file in which both fixes have edits; "" if there is none.
func (k knownFix) sharedFile(other knownFix) string {
	for _, e := range k.edits {
		if slices.ContainsFunc(other.edits, func(o mutate.Edit) bool { return o.File == e.File }) {
			return e.File
		}
	}
	return ""
}

// readKnown reads the best fix of a repair that ended before, from its output
// directory.
func readKnown(name, out string) (knownFix, error) {
	data, err := os.ReadFile(filepath.Join(out, resultName))
	if err != nil {
		return knownFix{}, fmt.Errorf("read the fix of %s: %w", name, err)
	}
	res := &Result{}
	if err := json.Unmarshal(data, res); err != nil {
		return knownFix{}, fmt.Errorf("read the fix of %s: %w", name, err)
	}
	return res.known(name), nil
}

// knownTo are the fixes of the other packages of the series that an output
// directory belongs to, for a repair of it that goes on by itself; none if it
// belongs to none.
func knownTo(out string) []knownFix {
	out, err := filepath.Abs(out)
	if err != nil {
		return nil
	}
	s, err := ReadSeries(filepath.Dir(out))
	if err != nil || !slices.ContainsFunc(s.Members, func(m Member) bool { return m.Out == filepath.Base(out) }) {
		return nil
	}
	var all []knownFix
	for _, m := range s.Members {
		if m.Status != Fixed || m.Out == filepath.Base(out) {
			continue
		}
		// What cannot be read is one thing less to try.
		if k, err := readKnown(s.name(m), filepath.Join(s.out, m.Out)); err == nil {
			all = append(all, k)
		}
	}
	return all
}

// known is the best fix as others can try it; without edits if there is none.
func (res *Result) known(name string) knownFix {
	k := knownFix{name: name, module: res.Target.Module}
	if len(res.Fixes) > 0 {
		k.edits = res.Fixes[0].Edits
	}
	return k
}

// A tried is a mutant that the search has not come to by itself, and why it is
// no fix, if it is none.
type tried struct {
	mutant *mutate.Mutant // nil: the edits give none
	result fitness.Result
	why    string
}

// tryEdits scores a mutant, and validates it if all passes.
func (h *hunt) tryEdits(ctx context.Context, edits []mutate.Edit) (t tried, err error) {
	t.mutant, err = h.space.Mutant(ctx, edits)
	var refused *mutate.Refusal
	if errors.As(err, &refused) {
		return tried{why: refused.Error()}, nil
	}
	if err != nil {
		return t, err
	}
	if t.result, err = h.evaluator.Evaluate(ctx, t.mutant); err != nil {
		return t, err
	}
	if t.result.Score < fitness.FullScore {
		t.why = failing(t.result)
		return t, nil
	}
	rejected := len(h.result.Rejected)
	if _, err := h.validate(ctx, candidate{t.mutant, t.result}); err != nil {
		return t, err
	}
	if n := len(h.result.Rejected); n > rejected {
		t.why = h.result.Rejected[n-1].Reason
	}
	return t, nil
}

// failing words what a mutant without a full score fails by.
func failing(r fitness.Result) string {
	switch {
	case len(r.Samples) > 0:
		return r.Samples[0].Message
	case r.Refused != "":
		return r.Refused
	}
	return "some runs fail"
}

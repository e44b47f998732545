package repair

import (
	"context"
	"fmt"
	"slices"
	"time"

	"mendel/internal/result"
	"mendel/mutate"
)

// A Transferred fix is what has mended another package of the module. Packages
// that use a third one may fail by the same bug there; their fixes should be
// alike, so it is tried before the search.
type Transferred struct {
	Name   string // of the package
	Module string // directory
	Edits  []mutate.Edit
}

// Transfer is the best fix of a repair as others can try it; without edits if
// there is none.
func Transfer(name string, r *result.Result) Transferred {
	return Transferred{Name: name, Module: r.Target.Module, Edits: r.BestEdits()}
}

// ReadTransferred reads the best fix of a repair that ended before, from its
// output directory.
func ReadTransferred(name, out string) (Transferred, error) {
	r, err := result.Read(out)
	if err != nil {
		return Transferred{}, fmt.Errorf("read the fix of %s: %w", name, err)
	}
	return Transfer(name, r), nil
}

// byAnother is how a search ended that the fix of another package made unnecessary.
const byAnother = "fix of another package"

// tryTransferred validates what has mended other packages, where it changes
// files of this program. The outcome is nil when none of it is a fix here.
func (j *judges) tryTransferred(ctx context.Context, transferred []Transferred) (*outcome, error) {
	out := &outcome{}
	for _, t := range transferred {
		if t.Module != j.Program.Module || !j.hasFiles(t.Edits) {
			continue
		}
		out.history = newHistory(time.Now(), j.before.Score)
		j.Progress.Phase("search", "trying the fix of %s", t.Name)
		if _, err := j.attempt(ctx, &out.findings, t.Edits); err != nil {
			return out, err
		}
		if out.fixed() {
			j.Progress.Note("the fix of %s, or a part of it, mends this package too", t.Name)
			j.show(ctx, out)
			out.ended = byAnother
			return out, nil
		}
	}
	return out, nil
}

// hasFiles reports whether all files that edits concern are in the program.
func (env *environment) hasFiles(edits []mutate.Edit) bool {
	return !slices.ContainsFunc(edits, func(e mutate.Edit) bool { return env.Program.File(e.File) == nil })
}

package repair

import (
	"context"
	"time"

	"mendel/internal/result"
)

// takenUp is how a search ended that was not needed any more.
const takenUp = "validation taken up again"

// goOnValidating validates what an earlier process of the repair has begun to validate, or had no time to begin.
// To find it again by the search would take as long as planning all mutants before it.
func (j *judges) goOnValidating(ctx context.Context) (*outcome, error) {
	out := &outcome{}
	for _, edits := range j.known.begun {
		out.history = newHistory(time.Now(), j.before.Score)
		j.Progress.Phase("search", "going on with %s", result.Describe(edits))
		if _, err := j.attempt(ctx, &out.findings, edits); err != nil {
			return out, err
		}
		if out.unflagged() {
			out.ended = takenUp
			j.show(ctx, out)
			return out, nil
		}
	}
	return out, nil
}

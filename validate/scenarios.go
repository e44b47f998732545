package validate

import (
	"context"
	"fmt"
	"time"

	"mendel/internal/scenario"
	"mendel/mutate"
)

// A Scenarios says what tests made by machine show of a fix; see package scenario.
type Scenarios struct {
	Tried   int      `json:"tried"`             // pairs of calls, side by side on a prepared value
	Against []string `json:"against,omitempty"` // those that fail, and how; with any the fix is flagged
	Detail  string   `json:"detail,omitempty"`  // why none were tried, if some could have been

	objections []scenario.Objection // Against; of a recalled fix nobody knows them
}

// Objections are what Against says; none of a fix that was recalled.
func (s Scenarios) Objections() []scenario.Objection { return s.objections }

// scenarioLimit is how much longer than its exploring the making of scenarios may take: they
// are built twice. Of the time that is left they have half at most. Guessed.
const scenarioLimit = 40 * time.Second

// scenarioTime is how long making and exploring scenarios may take.
func (j *job) scenarioTime(ctx context.Context) time.Duration {
	most := j.o.Scenarios.Budget + scenarioLimit
	if deadline, limited := ctx.Deadline(); limited {
		most = min(most, time.Until(deadline)/2)
	}
	return most
}

// tryScenarios tries the present mutant with scenarios. That they cannot be made is no fault of it.
func (j *job) tryScenarios(ctx context.Context) (Scenarios, error) {
	if j.o.Scenarios == nil {
		return Scenarios{}, nil
	}
	limited, cancel := context.WithTimeout(ctx, j.scenarioTime(ctx))
	defer cancel()
	of := j.o.ScenariosOf
	if of == nil {
		of = j.mutant.Files
	}
	r, err := j.o.Scenarios.TryLike(limited, of, j.mutant.Files)
	switch {
	case ctx.Err() != nil:
		return Scenarios{}, ctx.Err()
	case err != nil && limited.Err() != nil:
		return Scenarios{Detail: "they were not made and explored in the time that there was"}, nil
	case err != nil:
		return Scenarios{Detail: err.Error()}, nil
	}
	s := Scenarios{Tried: r.Tried}
	for _, o := range r.Objections {
		s.Against = append(s.Against, o.String())
	}
	s.objections = r.Objections
	return s, nil
}

// take puts what scenarios show into a fix.
func (f *Fix) take(s Scenarios) {
	f.Quality.Scenarios = s
	if len(s.Against) > 0 {
		f.flag(mutate.ScenarioFails)
	}
}

// String says it in a few words, for the log.
func (s Scenarios) String() string {
	switch {
	case s.Detail != "":
		return "none tried: " + s.Detail
	case len(s.Against) > 0:
		return fmt.Sprintf("%d of %d fail: %s", len(s.Against), s.Tried, s.Against[0])
	}
	return fmt.Sprintf("%d pass", s.Tried)
}

package fitness

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"mendel/checker"
	"mendel/checker/sched/explore"
	"mendel/internal/gotool"
	"mendel/mutate"
)

// oneProgram is explored by a fakeChecker of its own.
type oneProgram struct {
	*fakeChecker
	closed int
}

func (p *oneProgram) Check(ctx context.Context, s checker.Search) (*checker.Report, error) {
	return p.fakeChecker.Check(ctx, nil, s)
}

func (p *oneProgram) Close() error {
	p.closed++
	return nil
}

// A workshop builds programs together.
type workshop struct {
	err      error            // of BuildAll
	refuse   map[string]error // of a program, by the text of its file
	sizes    []int            // of the batches
	programs map[string]*oneProgram
}

func (w *workshop) BuildAll(ctx context.Context, sets []map[string][]byte) ([]Built, error) {
	w.sizes = append(w.sizes, len(sets))
	built := make([]Built, len(sets))
	for i, files := range sets {
		text := string(files["a.go"])
		if err := w.refuse[text]; err != nil {
			built[i].Err = err
			continue
		}
		p := &oneProgram{fakeChecker: &fakeChecker{report: checked(explore.Passed, 30, 30)}}
		if w.programs == nil {
			w.programs = make(map[string]*oneProgram)
		}
		w.programs[text], built[i].Program = p, p
	}
	return built, w.err
}

// written are mutants 1 to n, each with a file of its own.
func written(n int) (mutants []*mutate.Mutant) {
	for i := range n {
		m := mutant(i + 1)
		m.Files = map[string][]byte{"a.go": []byte(fmt.Sprint(i + 1))}
		mutants = append(mutants, m)
	}
	return mutants
}

// What was prepared is explored and closed; what was not is built when it is
// scored; what is left is closed by Release. Nothing is prepared twice.
func TestPrepare(t *testing.T) {
	ctx := context.Background()
	w := &workshop{refuse: map[string]error{"2": &gotool.BuildError{}}}
	single := &fakeChecker{report: checked(explore.Passed, 30, 30)}
	source := NewCheckerSource(CheckerOptions{Checker: single, BuildAll: w.BuildAll, Original: original, Alone: true})
	e := NewEvaluator(Options{Before: []Source{source}})
	mutants := written(4)
	if err := e.Prepare(ctx, mutants[:3]); err != nil {
		t.Fatal(err)
	}
	for i, m := range mutants {
		if i == 2 {
			continue
		}
		r, err := e.Evaluate(ctx, m)
		if err != nil {
			t.Fatal(err)
		}
		if refused := r.Refused != ""; refused != (i == 1) {
			t.Errorf("mutant %d: %+v", i+1, r)
		}
	}
	if p := w.programs["1"]; len(p.searches) != 1 || p.closed != 1 || p.searches[0].Sample != defaultSample {
		t.Errorf("prepared and scored: %d searches, closed %d times", len(p.searches), p.closed)
	}
	if len(single.searches) != 1 {
		t.Errorf("%d programs were built singly, want the fourth alone", len(single.searches))
	}
	if err := e.Prepare(ctx, mutants); err != nil || !slices.Equal(w.sizes, []int{3, 1}) {
		t.Errorf("batches of %v programs, %v; scored ones are not to be built again", w.sizes, err)
	}
	again := w.programs["3"]
	e.Release()
	e.Release()
	if len(again.searches) != 0 || again.closed != 1 {
		t.Errorf("prepared and not scored: %d searches, closed %d times", len(again.searches), again.closed)
	}
}

// Preparing again what was not scored yet leaves no program open.
func TestPrepareAgain(t *testing.T) {
	w := new(workshop)
	source := NewCheckerSource(CheckerOptions{Checker: new(fakeChecker), BuildAll: w.BuildAll, Original: original})
	for range 2 {
		first := w.programs["1"]
		if err := source.Prepare(context.Background(), written(1)); err != nil {
			t.Fatal(err)
		}
		if first != nil && first.closed != 1 {
			t.Error("the first stays open")
		}
	}
}

// A batch that cannot be built is no error: its mutants are built singly. The
// end of the context is one. Either way nothing stays open.
func TestPrepareFails(t *testing.T) {
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	for _, c := range []struct {
		name string
		ctx  context.Context
		err  error
		want error
	}{
		{"broken", context.Background(), errors.New("disk full"), nil},
		{"cancelled", ended, context.Canceled, context.Canceled},
		{"cancelled at the end", ended, nil, context.Canceled},
	} {
		w := &workshop{err: c.err}
		single := &fakeChecker{report: checked(explore.Passed, 30, 30)}
		source := NewCheckerSource(CheckerOptions{Checker: single, BuildAll: w.BuildAll, Original: original})
		if err := source.Prepare(c.ctx, written(2)); !errors.Is(err, c.want) {
			t.Errorf("%s: error %v", c.name, err)
		}
		for text, p := range w.programs {
			if p.closed != 1 {
				t.Errorf("%s: program %s was closed %d times", c.name, text, p.closed)
			}
		}
		if _, _, err := source.Score(context.Background(), written(1)[0]); err != nil || len(single.searches) != 1 {
			t.Errorf("%s: %d searches of single builds, %v", c.name, len(single.searches), err)
		}
	}
}

// A source that is switched off, or has nothing to build together, builds nothing.
func TestNothingToPrepare(t *testing.T) {
	w := new(workshop)
	off := NewCheckerSource(CheckerOptions{Checker: new(fakeChecker), BuildAll: w.BuildAll})
	off.switchOff("told to")
	none := NewCheckerSource(CheckerOptions{Checker: new(fakeChecker)})
	for _, s := range []*CheckerSource{off, none} {
		if err := s.Prepare(context.Background(), written(2)); err != nil || len(w.sizes) > 0 {
			t.Errorf("batches %v, %v", w.sizes, err)
		}
	}
	if err := NewEvaluator(Options{}).Prepare(context.Background(), written(1)); err != nil {
		t.Error(err)
	}
}

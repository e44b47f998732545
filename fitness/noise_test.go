package fitness

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"mendel/analysis/evidence"
	"mendel/fitness/noise"
	"mendel/internal/gotool"
)

func TestScores(t *testing.T) {
	race, hang := fails(evidence.Race), fails(evidence.Timeout)
	for _, c := range []struct {
		name     string
		runs     int
		outcomes []noise.Outcome
		score    float64
		made     int
		passes   int
		timeouts int
	}{
		{"all pass", 0, []noise.Outcome{pass()}, 1000, 15, 15, 0},
		{"two of three", 0, []noise.Outcome{race, pass(), pass()}, 1000 * 10. / 15, 15, 10, 0},
		{"never passes", 0, []noise.Outcome{race}, 0, 5, 0, 0},
		{"passes one of the first five", 0, []noise.Outcome{race, race, race, race, pass()}, 200, 15, 3, 0},
		{"hangs", 0, []noise.Outcome{hang}, 500, 3, 0, 3},
		{"two hang", 10, []noise.Outcome{hang, pass(), pass(), pass(), pass()}, 900, 10, 8, 2},
		{"third time-out is the sixth run", 15, []noise.Outcome{pass(), hang, pass(), hang}, 1000 * (3 + 0.5*3) / 6., 6, 3, 3},
		{"runs no test", 0, []noise.Outcome{{}}, 0, 5, 0, 0},
		{"hangs once, else races", 0, []noise.Outcome{hang, race, race, race, race}, 100, 5, 0, 1},
		{"two runs", 2, []noise.Outcome{pass(), race}, 500, 2, 1, 0},
		{"seven runs", 7, []noise.Outcome{pass()}, 1000, 7, 7, 0},
	} {
		l := scripted(c.outcomes...)
		r, err := evaluatorOf(l, Options{Runs: c.runs}).Evaluate(context.Background(), mutant(1))
		if err != nil {
			t.Fatal(err)
		}
		if r.Score != c.score || r.Runs != c.made || r.Passes != c.passes || r.Timeouts != c.timeouts {
			t.Errorf("%s: score %v with %d runs, %d passes, %d time-outs; want %v, %d, %d, %d",
				c.name, r.Score, r.Runs, r.Passes, r.Timeouts, c.score, c.made, c.passes, c.timeouts)
		}
		if ran := c.name != "runs no test"; ran && r.Passes+sum(r.Failures) != r.Runs || !ran && len(r.Failures) > 0 {
			t.Errorf("%s: %d passes and failures %v in %d runs", c.name, r.Passes, r.Failures, r.Runs)
		}
		if l.closed != 1 {
			t.Errorf("%s: the binary was removed %d times", c.name, l.closed)
		}
	}
}

// The first runs of a mutant make the tests that fail in the original alone, the last ones all.
func TestFailingTestsComeFirst(t *testing.T) {
	alone := noise.Only([]string{"TestB", "TestA.x"})
	if want := `^(TestB|TestA\.x)$`; alone != want {
		t.Fatalf("the pattern is %s, want %s", alone, want)
	}
	still := fails(evidence.TestFailure)
	still.CPU = time.Second
	for _, c := range []struct {
		name     string
		hopeless int
		outcomes []noise.Outcome
		runs     int
		score    float64
		reached  float64
		patterns []string
	}{
		{"certain, still fails", 1, []noise.Outcome{still}, 1, 0, 0, []string{alone}},
		{"certain, passes", 1, []noise.Outcome{pass()}, 6, FullScore, 0, []string{alone, alone, ""}},
		{"certain, another test fails", 1, []noise.Outcome{pass(), pass(), pass(), pass(), still}, 5, 800, 1, []string{alone, alone, ""}},
		{"never passes", 0, []noise.Outcome{still}, 5, 0, 0, []string{alone}},
		{"passes", 0, []noise.Outcome{pass()}, 15, FullScore, 0, []string{alone, ""}},
		{"hangs", 0, []noise.Outcome{pass(), fails(evidence.Timeout)}, 6, 750, 0, []string{alone}},
	} {
		l := scripted(c.outcomes...)
		source := &noiseSource{launcher: l, hopeless: c.hopeless, failing: alone}
		r, _, err := source.Score(t.Context(), mutant(1))
		if err != nil {
			t.Fatal(err)
		}
		if r.Result.Runs != c.runs || r.Result.Score != c.score || r.Result.Reached != c.reached || !slices.Equal(l.patterns, c.patterns) {
			t.Errorf("%s: run as %q, %+v", c.name, l.patterns, r.Result)
		}
	}
}

func sum(failures map[evidence.Kind]int) (n int) {
	for _, f := range failures {
		n += f
	}
	return n
}

// A score is a number from 0 to 1000, and 1000 only if every run was made and passed.
func TestScoreProperties(t *testing.T) {
	kinds := []noise.Outcome{
		pass(), pass(), fails(evidence.Race), fails(evidence.Timeout), fails(evidence.Deadlock, "a", "b"), fails(evidence.Panic),
	}
	rapid.Check(t, func(t *rapid.T) {
		runs := rapid.IntRange(1, 20).Draw(t, "runs")
		outcomes := rapid.SliceOfN(rapid.SampledFrom(kinds), runs, runs).Draw(t, "outcomes")
		l := scripted(outcomes...)
		r, err := evaluatorOf(l, Options{Runs: runs}).Evaluate(context.Background(), mutant(1))
		if err != nil {
			t.Fatal(err)
		}
		allPass := !slices.ContainsFunc(outcomes, func(o noise.Outcome) bool { return !o.Pass })
		if r.Score < 0 || r.Score > FullScore || (r.Score == FullScore) != allPass || allPass && r.Runs != runs {
			t.Errorf("score %v after %d runs", r.Score, r.Runs)
		}
		if !slices.IsSorted(l.seeds) || len(l.seeds) != r.Runs {
			t.Errorf("seeds %v for %d runs", l.seeds, r.Runs)
		}
		for i := range l.seeds {
			if l.seeds[i] != l.seeds[0]+uint64(i) {
				t.Errorf("seeds %v do not count up", l.seeds)
			}
		}
	})
}

func TestMeans(t *testing.T) {
	slow := noise.Outcome{Pass: true, Elapsed: 30 * time.Millisecond, Switches: 8}
	quick := noise.Outcome{Pass: true, Elapsed: 10 * time.Millisecond, Switches: 3}
	r := Summarise([]noise.Outcome{slow, fails(evidence.Race), quick})
	if r.Elapsed != 20*time.Millisecond || r.Switches != 5.5 {
		t.Errorf("means are %v and %v, want those of the passing runs, 20ms and 5.5", r.Elapsed, r.Switches)
	}
	if r := Summarise(nil); r.Score != 0 || r.Elapsed != 0 || r.Switches != 0 {
		t.Errorf("of nothing: %+v", r)
	}
}

func TestFailuresAndSamples(t *testing.T) {
	r := Summarise([]noise.Outcome{
		fails(evidence.Race, "b", "a"), fails(evidence.Race, "a"), pass(), fails(evidence.Deadlock, "c", "b"),
	})
	if r.Failures[evidence.Race] != 2 || r.Failures[evidence.Deadlock] != 1 || len(r.Failures) != 2 {
		t.Errorf("failures by the first of each run: %v", r.Failures)
	}
	var got []string
	for _, f := range r.Samples {
		got = append(got, f.Signature)
	}
	if s := strings.Join(got, " "); s != "b a c" {
		t.Errorf("samples are %s, want one per signature in the order of the runs", s)
	}
	var many []noise.Outcome
	for i := range 20 {
		many = append(many, fails(evidence.Panic, fmt.Sprint(i)))
	}
	if n := len(Summarise(many).Samples); n != maxSamples {
		t.Errorf("%d samples, want %d", n, maxSamples)
	}
}

func TestSeeds(t *testing.T) {
	seeds := func(run uint64, m int) []uint64 {
		l := scripted(pass())
		if _, err := evaluatorOf(l, Options{Seed: run}).Evaluate(context.Background(), mutant(m)); err != nil {
			t.Fatal(err)
		}
		return l.seeds
	}
	a := seeds(1, 1)
	if !slices.Equal(a, seeds(1, 1)) {
		t.Error("the same mutant gets other seeds the second time")
	}
	if a[0] == seeds(2, 1)[0] || a[0] == seeds(1, 2)[0] {
		t.Error("another run or another mutant gets the same seeds")
	}
}

func TestTimeoutIsPassedOn(t *testing.T) {
	l := scripted(pass())
	if _, err := evaluatorOf(l, Options{Timeout: time.Second}).Evaluate(context.Background(), mutant(1)); err != nil {
		t.Fatal(err)
	}
	if l.options.Timeout != time.Second {
		t.Errorf("runs had a limit of %v", l.options.Timeout)
	}
}

// What does not compile is judged; what cannot be run is not.
func TestBuildErrorIsARefusal(t *testing.T) {
	l := &fakeLauncher{err: fmt.Errorf("build: %w", &gotool.BuildError{
		Diagnostics: []gotool.Diagnostic{{File: "/m/bank.go", Line: 7, Column: 2, Message: "undefined: mu"}},
		Output:      "/m/bank.go:7:2: undefined: mu",
	})}
	e := evaluatorOf(l, Options{})
	r, err := e.Evaluate(context.Background(), mutant(1))
	if err != nil || r.Score != 0 || r.Runs != 0 {
		t.Fatalf("%+v, %v", r, err)
	}
	if !strings.HasPrefix(r.Refused, "does not build: ") || !strings.Contains(r.Refused, "undefined: mu") {
		t.Errorf("refused because it %q", r.Refused)
	}
	l.err = nil
	if r, err := e.Evaluate(context.Background(), mutant(1)); err != nil || !r.Cached || r.Refused == "" {
		t.Errorf("the refusal is not remembered: %+v, %v", r, err)
	}
}

func TestCouldNotRunIsAnError(t *testing.T) {
	broken := errors.New("no space left on device")
	for name, l := range map[string]*fakeLauncher{
		"build": {err: broken},
		"run":   {runErr: broken},
	} {
		e := evaluatorOf(l, Options{})
		if r, err := e.Evaluate(context.Background(), mutant(1)); !errors.Is(err, broken) || r.Runs != 0 {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
		if l.launched != l.closed {
			t.Errorf("%s: %d binaries built and %d removed", name, l.launched, l.closed)
		}
		// It is not remembered: the next try may do better.
		l.err, l.runErr, l.script = nil, nil, func(int) noise.Outcome { return pass() }
		if r, err := e.Evaluate(context.Background(), mutant(1)); err != nil || r.Score != FullScore || r.Cached {
			t.Errorf("%s: second try: %+v, %v", name, r, err)
		}
	}
}

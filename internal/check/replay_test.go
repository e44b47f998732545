package check

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mendel/analysis/evidence"
	"mendel/checker"
	"mendel/checker/sched"
)

// What following a schedule shows, and what it does not.
func TestReplayJudge(t *testing.T) {
	recorded := raceFailure()
	other := raceFailure()
	other.Signature = "race: elsewhere"
	for _, tt := range []struct {
		name string
		r    checker.Replayed
		want ReplayVerdict
		same bool
	}{
		{"as recorded", checker.Replayed{Failure: &recorded}, ReplayFailed, true},
		{"another failure", checker.Replayed{Failure: &other}, ReplayFailed, false},
		{"along another schedule", checker.Replayed{Failure: &recorded, Diverged: "step 3"}, ReplayFailed, false},
		{"passed", checker.Replayed{}, ReplayPassed, false},
		{"diverged", checker.Replayed{Diverged: "step 3"}, ReplayDiverged, false},
		{"diverged, in words of its own", checker.Replayed{Diverged: "step 3", Reason: "it diverged"}, ReplayDiverged, false},
		{"crashed", checker.Replayed{Reason: "killed"}, ReplayInconclusive, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			res := &ReplayResult{Recorded: evidence.Failure{Kind: evidence.Race, Signature: recorded.Signature}}
			res.add(&tt.r)
			if res.Verdict != tt.want || res.Same != tt.same {
				t.Errorf("%s, same %v; want %s, %v", res.Verdict, res.Same, tt.want, tt.same)
			}
			if told := res.Verdict == ReplayInconclusive || res.Verdict == ReplayDiverged; told && res.Reason == "" {
				t.Error("no reason")
			}
			var text strings.Builder
			if err := res.Print(&text, PrintOptions{}); err != nil || !strings.HasPrefix(text.String(), string(tt.want)) {
				t.Errorf("%v, printed %q", err, text.String())
			}
		})
	}
}

// Replays are identical when they give the same failure by the same steps.
func TestReplayIdentical(t *testing.T) {
	a := raceFailure()
	moved := raceFailure()
	moved.Trace = []sched.Event{{G: 0, Kind: sched.KindRelease}}
	signed := raceFailure()
	signed.Signature = "race: elsewhere"
	res := &ReplayResult{}
	for _, r := range []checker.Replayed{
		{Failure: &a}, {Failure: &a}, {Failure: &moved}, {Failure: &signed}, {}, {Failure: &a, Diverged: "step 3"}, {Reason: "killed"},
	} {
		res.add(&r)
	}
	if res.Count != 7 || res.Identical != 2 {
		t.Errorf("%d of %d identical, want 2 of 7", res.Identical, res.Count)
	}
}

func TestReplayErrors(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return name
	}
	garbage := write("garbage", "no schedule")
	gone := write("gone", "schedule 1\ndirectory: \"/no/such/directory\"\npackage: \"p\"\ntest: \"TestF\"\n\n0\n")
	for _, tt := range []struct {
		name string
		o    ReplayOptions
		want string
	}{
		{"missing", ReplayOptions{File: filepath.Join(dir, "missing")}, "missing"},
		{"garbage", ReplayOptions{File: garbage}, "line 1"},
		{"no module", ReplayOptions{File: gone}, "-C"},
		{"a file for a directory", ReplayOptions{File: gone, Dir: garbage}, "not a directory"},
		{"negative count", ReplayOptions{File: gone, Count: -1}, "--count"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			result, err := Replay(context.Background(), tt.o)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one with %q", err, tt.want)
			}
			if result == nil || result.Verdict != ReplayError || result.Reason == "" {
				t.Errorf("result %+v, want verdict %s", result, ReplayError)
			}
		})
	}
}

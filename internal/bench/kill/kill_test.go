package kill

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"mendel/internal/bench/benchtest"
	"mendel/internal/bench/identity"
)

// fakeKiller kills this test binary, which behaves as how says.
func fakeKiller(t *testing.T, how string) *killer {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("a process cannot kill itself here")
	}
	t.Setenv(fakeMendel, how)
	t.Cleanup(func() { os.Unsetenv(fakeMendel) })
	return &killer{mendel: os.Args[0], source: benchtest.WriteSubject(t), seed: 1, limit: time.Minute, leave: 200 * time.Millisecond}
}

// Whatever does not come out of a killed repair as it should is seen. The fake
// is killed at a certain place, not at a certain moment.
func TestKilledRepair(t *testing.T) {
	for _, c := range []struct {
		how, fault string
		linux      bool
	}{
		{how: well},
		{how: soon},
		{how: forgets, fault: "5 stored scores were made again"},
		{how: repeats, fault: "5 stored scores were made again"},
		{how: differs, fault: "the fix is "},
		{how: litters, fault: "left behind: file temp" + string(filepath.Separator) + "mendel-"},
		{how: lingers, fault: "left behind: process ", linux: true},
		{how: damages, fault: "at the end: "},
		{how: gives, fault: "exit code 2; it said last: resume: I cannot"},
		{how: thrice, fault: "and was killed"},
	} {
		t.Run(c.how, func(t *testing.T) {
			if c.linux && runtime.GOOS != "linux" {
				t.Skip("processes that stay are found on Linux only")
			}
			k := fakeKiller(t, c.how)
			trial, err := k.try(t.Context(), []time.Duration{time.Minute})
			if err != nil {
				t.Fatal(err)
			}
			if len(trial.Kills) != 1 {
				t.Fatalf("kills: %+v", trial.Kills)
			}
			kill := trial.Kills[0]
			if c.how == soon && (!kill.Anew || kill.Phase != "" || kill.Evaluations != 0) || c.how != soon && (kill.Anew || kill.Phase != "searching" || kill.Evaluations != fakeCount/2) {
				t.Errorf("kill: %+v", kill)
			}
			undisturbed := repair{Status: "fixed", Patches: []string{identity.Patch("--- a/x.go\n+++ b/x.go\n@@ -1 +1 @@\n-a\n+b\n")}}
			r := &report{Undisturbed: []repair{undisturbed}, Trials: []killedRepair{trial}}
			faults := strings.Join(append(trial.faults(r), trial.Problems...), "\n")
			if c.fault == "" && faults != "" || !strings.Contains(faults, c.fault) {
				t.Errorf("faults: %q, want %q", faults, c.fault)
			}
			if met := len(r.Failures()) == 0; met != (c.fault == "") {
				t.Errorf("the criteria are met: %t", met)
			}
			if c.fault == "" && trial.Evaluations != fakeCount {
				t.Errorf("%d scores at the end, want %d", trial.Evaluations, fakeCount)
			}
		})
	}
}

// A score that is gone is lost, whatever came in its place.
func TestMissingScores(t *testing.T) {
	before := scores{evaluations: map[string]string{"a": "1", "b": "2", "c": "3"}}
	if lost, repeated := before.missing(map[string]string{"a": "1", "b": "4", "d": "5"}); lost != 1 || repeated != 1 {
		t.Errorf("%d lost, %d made again; want 1 and 1", lost, repeated)
	}
}

// The whole command, killing at random moments: it meets its criteria, and goes
// on with what it has saved, but not with results of other repairs.
func TestKillCommand(t *testing.T) {
	k := fakeKiller(t, slow)
	subjects, out := t.TempDir(), t.TempDir()
	if err := os.Rename(k.source, filepath.Join(subjects, "counter")); err != nil {
		t.Fatal(err)
	}
	benchtest.WriteFile(t, filepath.Join(subjects, "counter", "subject.json"), `{"name": "counter"}`)
	o := Options{Subject: "counter", Dir: subjects, Out: out, Mendel: k.mendel, Times: 2, Undisturbed: 1, Seed: 3, Limit: time.Minute}
	run := func(o Options) (*report, string, error) {
		var text bytes.Buffer
		err := Run(t.Context(), o, &text, &text)
		var r report
		data, readErr := os.ReadFile(filepath.Join(out, "kill.json"))
		if err := errors.Join(readErr, json.Unmarshal(data, &r)); err != nil {
			t.Fatal(err)
		}
		return &r, text.String(), err
	}
	first, text, err := run(o)
	if err != nil || len(first.Trials) != 2 || !strings.Contains(text, "All criteria are met.") {
		t.Fatalf("%d trials, %v:\n%s", len(first.Trials), err, text)
	}
	o.Times = 3
	second, text, err := run(o)
	if err != nil || len(second.Trials) != 3 || second.Trials[0].Seconds != first.Trials[0].Seconds || len(second.Undisturbed) != 1 {
		t.Fatalf("going on: %d trials, %v:\n%s", len(second.Trials), err, text)
	}
	o.Seed = 4
	if _, _, err := run(o); err == nil || !strings.Contains(err.Error(), "another --seed (3, this is 4)") {
		t.Errorf("with another seed: %v", err)
	}
}

// Usage errors are found before anything is run.
func TestKillValidates(t *testing.T) {
	good := Options{Times: 1, Undisturbed: 1, Seed: 1, Limit: time.Second}
	if err := good.validate(); err != nil {
		t.Error(err)
	}
	for _, change := range []func(*Options){
		func(o *Options) { o.Times = 0 },
		func(o *Options) { o.Undisturbed = 0 },
		func(o *Options) { o.Seed = 0 },
		func(o *Options) { o.Limit = 0 },
		func(o *Options) { o.Workers = -1 },
	} {
		o := good
		change(&o)
		if o.validate() == nil {
			t.Errorf("no error for %+v", o)
		}
	}
}

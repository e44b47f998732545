package checker

import (
	"reflect"
	"testing"

	"mendel/checker/sched"
)

// FuzzParseFile reads schedule files. What can be read names what it takes to
// replay it, and is written and read again without loss.
func FuzzParseFile(f *testing.F) {
	f.Add((&File{
		Version: "(devel)", Module: "example.com/bank", Dir: "/src/bank", Package: "example.com/bank",
		Flags: []string{"-tags=a b", `-ldflags="x"`}, Instrument: []string{"example.org/..."},
		Test: "TestTransfer", Kind: "race", Signature: "race: x", Message: "data race: \"x\"\n", Strategy: "pct", Seed: 7, Source: "00ff",
		Choices: []sched.Choice{{N: 0}, {N: 0}, {N: 1}, {Kind: sched.Number, N: 2}},
	}).String())
	f.Add("schedule 1\ndirectory: \"/\"\npackage: \"p\"\ntest: \"T\"\nseed: \"-1\"\n")
	f.Add("schedule 1\ndirectory: \"/\"\npackage: \"p\"\ntest: \"T\"\nflags: \"`a` 'b'\"\n\n0*9 +\n")
	f.Fuzz(func(t *testing.T, text string) {
		file, err := ParseFile(text)
		if err != nil {
			if file != nil {
				t.Errorf("a file and error %v", err)
			}
			return
		}
		if file.Dir == "" || file.Package == "" || file.Test == "" {
			t.Errorf("incomplete: %+v", file)
		}
		if len(file.Choices) > 1<<16 {
			return // a few bytes make millions; writing them tells nothing more
		}
		again, err := ParseFile(file.String())
		if err != nil {
			t.Fatalf("what was written cannot be read: %v\n%s", err, file)
		}
		if !reflect.DeepEqual(file, again) {
			t.Errorf("%+v\nwritten and read is\n%+v", file, again)
		}
		if s := file.Schedule(); s.Test != file.Test {
			t.Errorf("schedule %+v", s)
		}
	})
}

package checker

import (
	"go/types"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"mendel/analysis"
	"mendel/analysis/evidence"
)

// A file is read as it was written.
func TestFile(t *testing.T) {
	b, name := banker(t)
	b.checker.c.Flags = []string{"-tags=a b,\"c\"", "-mod=mod"}
	f := Failure{
		Failure:  evidence.Failure{Kind: evidence.Race, Signature: "race: x", Message: "data race: \"x\"\n", Test: "TestBank"},
		Schedule: Schedule{Test: "TestBank", Choices: "0*12 1*3\n=2 0", Start: 1763838000123456789},
		Strategy: "pct",
		Seed:     1<<64 - 1,
	}
	want, err := b.File(f)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "failure-1.schedule")
	if err := WriteSchedule(path, want); err != nil {
		t.Fatal(err)
	}
	got, err := ReadSchedule(path)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v\nwant\n%+v", got, want)
	}
	if s := got.Schedule(); s.Test != "TestBank" || s.Choices != "0*12 1*3 =2 0" || s.Start != f.Schedule.Start {
		t.Errorf("schedule %+v", s)
	}
	target := got.Target()
	if target.Dir != b.checker.c.Program.Module || target.Package != "example.com/fake" || target.Run != "^TestBank$" || len(target.Flags) != 2 {
		t.Errorf("target %+v", target)
	}
	if got.Module != "example.com/fake" || got.Version == "" {
		t.Errorf("module %q, version %q", got.Module, got.Version)
	}
	if !got.Same(b.checker.c.Program, nil) {
		t.Error("the source has not changed")
	}
	b.files = map[string][]byte{name: []byte("package fake\n")}
	mutant, err := b.File(f)
	if err != nil {
		t.Fatal(err)
	}
	if mutant.Same(b.checker.c.Program, nil) {
		t.Error("the source of a mutant is another one")
	}
	f.Schedule.Choices = "?"
	if _, err := b.File(f); err == nil {
		t.Error("choices that cannot be read make no file")
	}
}

// A text that is no schedule of a test is refused, with the reason.
func TestReadSchedule(t *testing.T) {
	const good = "schedule 1\ndirectory: \"/src\"\npackage: \"example.com/bank\"\ntest: \"TestBank\"\n"
	for _, c := range []struct{ text, want string }{
		{good + "later: \"a key of a later version\"\n\n0*3\n", ""},
		{good, ""},
		{"", "line 1: not a schedule"},
		{"schedule 1\ntest: \"TestBank\"\n\n0\n", "header directory is missing"},
		{good + "seed: \"x\"\n", "header seed: \"x\" is no number"},
		{good + "flags: \"a b\"\n", "header flags: want quoted words"},
		{good + "\n0*0\n", "line 6:"},
	} {
		path := filepath.Join(t.TempDir(), "s")
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := ReadSchedule(path)
		switch {
		case c.want == "":
			if err != nil {
				t.Errorf("%q: %v", c.text, err)
			}
		case err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), path):
			t.Errorf("%q: %v, want %s", c.text, err, c.want)
		}
	}
	if _, err := ReadSchedule(filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("no error for a file that is not there")
	}
}

// Only the name of a package of external tests has a suffix that is not the
// directory's.
func TestPackagePath(t *testing.T) {
	for _, c := range []struct{ path, name, file, want string }{
		{"example.com/foo", "foo", "foo_test.go", "example.com/foo"},
		{"example.com/foo_test", "foo_test", "foo_test.go", "example.com/foo"},
		{"example.com/foo_test", "foo", "foo_test.go", "example.com/foo_test"},
		{"example.com/foo_test", "foo_test", "foo.go", "example.com/foo_test"},
	} {
		pkg := &analysis.Package{Path: c.path, Types: types.NewPackage(c.path, c.name)}
		pkg.Files = []*analysis.File{{Name: c.file, Test: strings.HasSuffix(c.file, "_test.go")}}
		if got := packagePath(pkg); got != c.want {
			t.Errorf("%+v: got %s", c, got)
		}
	}
}

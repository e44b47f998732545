package repair

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mendel/analysis"
	"mendel/internal/dossier"
	"mendel/internal/journal"
	"mendel/internal/repair/setup"
	"mendel/internal/result"
)

// A repair whose source has changed by one of its own patches only, or by those
// of its series, says so, and how the patch is taken back.
func TestRecognisesItsOwnPatch(t *testing.T) {
	series := t.TempDir()
	out, other := filepath.Join(series, "1-a"), filepath.Join(series, "2-b")
	fix := func(patch, file string) dossier.Fix {
		return dossier.Fix{Patch: patch, Files: []dossier.File{{Path: file, Before: file, After: file + " mended"}}}
	}
	for dir, fixes := range map[string][]dossier.Fix{out: {fix("fix-1.patch", "a.go"), fix("fix-2.patch", "c.go")}, other: {fix("fix-1.patch", "b.go"), fix("fix-2.patch", "a.go")}} {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			t.Fatal(err)
		}
		if err := dossier.Write(dir, &dossier.Dossier{Version: dossier.Version, Fixes: fixes}); err != nil {
			t.Fatal(err)
		}
	}
	source := func(texts map[string]string) journal.Fingerprint {
		p := journal.NewFingerprint("go1.26")
		for name, text := range texts {
			p.Files[name] = result.Hash([]byte(text))
		}
		return p
	}
	before := source(map[string]string{"a.go": "a.go", "b.go": "b.go", "c.go": "c.go"})
	for _, c := range []struct {
		name string
		now  map[string]string
		want []string
	}{
		{"its own", map[string]string{"a.go": "a.go mended", "b.go": "b.go", "c.go": "c.go"}, []string{filepath.Join(out, "fix-1.patch")}},
		{"of the series too", map[string]string{"a.go": "a.go mended", "b.go": "b.go mended", "c.go": "c.go"},
			[]string{filepath.Join(out, "fix-1.patch"), filepath.Join(other, "fix-1.patch")}},
		{"and something else", map[string]string{"a.go": "a.go mended", "b.go": "otherwise", "c.go": "c.go"}, nil},
		{"and a file that is new", map[string]string{"a.go": "a.go mended", "b.go": "b.go", "c.go": "c.go", "d.go": "d"}, nil},
		{"and a file that is gone", map[string]string{"a.go": "a.go mended", "b.go": "b.go"}, nil},
		{"something else", map[string]string{"a.go": "otherwise", "b.go": "b.go", "c.go": "c.go"}, nil},
	} {
		if got := appliedSince(out, before, source(c.now)); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	otherGo := source(map[string]string{"a.go": "a.go mended", "b.go": "b.go", "c.go": "c.go"})
	otherGo.Others["GOFLAGS"] = "-race"
	if got := appliedSince(out, before, otherGo); got != nil {
		t.Errorf("GOFLAGS has changed, too: %q", got)
	}
	env := &environment{Setup: &setup.Setup{Settings: setup.Settings{Out: out}, Program: &analysis.Program{Module: "/src/m"}}}
	err := cannotGoOn(env, []string{"a.go has changed"}, []string{filepath.Join(out, "fix-1.patch"), filepath.Join(other, "fix-1.patch")})
	for _, want := range []string{"has fix-1.patch and ../2-b/fix-1.patch applied", "git -C /src/m apply -R " + filepath.Join(out, "fix-1.patch"), "without --resume"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("want %q in %v", want, err)
		}
	}
}

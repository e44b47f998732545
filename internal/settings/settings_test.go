package settings

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const example = `
tags = "integration"
seed = 3
exclude = ["./a", "./b/..."]

[check]
strict = true
tags = "other"

[repair]
`

func TestOf(t *testing.T) {
	f, err := Parse("mendel.toml", []byte(example))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		command, key string
		want         []string
	}{
		{"check", "tags", []string{"other"}},
		{"repair", "tags", []string{"integration"}},
		{"check", "seed", []string{"3"}},
		{"check", "exclude", []string{"./a", "./b/..."}},
		{"check", "strict", []string{"true"}},
		{"repair", "strict", nil},
	} {
		if s, ok := f.Of(c.command, c.key); ok != (c.want != nil) || !slices.Equal(s.Values, c.want) {
			t.Errorf("%s of %s is %q, %v, want %q", c.key, c.command, s.Values, ok, c.want)
		}
	}
	if got := f.Commands(); !slices.Equal(got, []string{"check", "repair"}) {
		t.Errorf("tables %q", got)
	}
	if n := len(f.All()); n != 5 {
		t.Errorf("%d settings, want 5", n)
	}
	var none *File
	if _, ok := none.Of("check", "tags"); ok || none.All() != nil {
		t.Error("no file says something")
	}
	for text, want := range map[string]string{
		"tags = ":                          "read the settings in mendel.toml",
		"[check]\nbudget = 2020-01-01\n":   "check.budget: want a text",
		"[check]\n[check.x]\ntags = 'a'\n": "check.x: want a text",
	} {
		if _, err := Parse("mendel.toml", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// The file is looked for upwards, and not above the repository.
func TestFind(t *testing.T) {
	top := t.TempDir()
	inner := filepath.Join(top, "repo", "a")
	if err := os.MkdirAll(filepath.Join(inner, "b"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(top, Name), []byte("seed = 1\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if f, err := Find(inner); err != nil || f == nil || f.Path != filepath.Join(top, Name) {
		t.Errorf("%+v, %v", f, err)
	}
	if err := os.Mkdir(filepath.Join(top, "repo", ".git"), 0o777); err != nil {
		t.Fatal(err)
	}
	if f, err := Find(inner); err != nil || f != nil {
		t.Errorf("above the repository: %+v, %v", f, err)
	}
}

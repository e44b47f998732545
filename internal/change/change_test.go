package change

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const (
	original = "package p\n\nfunc F() int {\n\treturn 1\n}\n"
	mended   = "package p\n\nfunc F() int {\n\treturn 2\n}\n"
	diff     = "--- a/NAME\n+++ b/NAME\n@@ -1,5 +1,5 @@\n package p\n \n func F() int {\n-\treturn 1\n+\treturn 2\n }\n"
)

// needGit skips a test where there is no git, and keeps the user's settings of it away.
func needGit(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git")
	}
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
}

func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := write(dir, name, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func commit(t *testing.T, dir string) {
	t.Helper()
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-qm", "first"}} {
		if _, err := git(t.Context(), dir, args...); err != nil {
			t.Fatal(err)
		}
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Names in a patch are relative to the module, the repository or the package, and the
// patch may be applied.
func TestReadRoots(t *testing.T) {
	needGit(t)
	for _, c := range []struct{ name, in, text, source string }{
		{"module", "q/p.go", diff, original},
		{"repository", "m/q/p.go", diff, original},
		{"package", "p.go", diff, original},
		{"without prefixes", "q/p.go", strings.NewReplacer("a/NAME", "NAME", "b/NAME", "NAME").Replace(diff), original},
		{"with a message", "q/p.go", "Subject: [PATCH] x\n\n--- b is a\n" + diff, original},
		{"applied", "q/p.go", diff, mended},
	} {
		top := tree(t, map[string]string{"m/go.mod": "module m\n", "m/q/p.go": c.source})
		commit(t, top)
		got, err := Parse(t.Context(), "x.patch", []byte(strings.ReplaceAll(c.text, "NAME", c.in)), filepath.Join(top, "m", "q"))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if len(got.Files) != 1 || string(got.Files[0].Before) != original || string(got.Files[0].After) != mended || got.Applied != (c.source == mended) {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
	dir := tree(t, map[string]string{"go.mod": "module m\n", "p.go": "package p\n"})
	for text, want := range map[string]string{
		strings.ReplaceAll(diff, "NAME", "p.go"):       "x.patch applies neither",
		strings.ReplaceAll(diff, "NAME", "../../p.go"): "x.patch applies neither",
		"no patch at all\n":                            "x.patch is no patch",
	} {
		if _, err := Parse(t.Context(), "x.patch", []byte(text), dir); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// A patch of code alone needs no copy. One that has a test, a new file or a removed one
// is tried on a copy: with its test on both sides, and stubs of what one side lacks.
func TestPlace(t *testing.T) {
	needGit(t)
	source := map[string]string{"go.mod": "module m\n", "p.go": original, "gone.go": "// Doc.\n\n//go:build !js\n\npackage p\n\nvar X int\n", "mendel-out/x.go": "package out\n", ".gitignore": "mendel-out\ngenerated.go\n", "generated.go": "package p\n"}
	added := "--- /dev/null\n+++ b/new.go\n@@ -0,0 +1,3 @@\n+package p\n+\n+var Y int\n"
	test := "--- /dev/null\n+++ b/p_test.go\n@@ -0,0 +1,1 @@\n+package p\n"
	removed := "--- a/gone.go\n+++ /dev/null\n@@ -1,7 +0,0 @@\n-// Doc.\n-\n-//go:build !js\n-\n-package p\n-\n-var X int\n"
	change := strings.ReplaceAll(diff, "NAME", "p.go")
	for _, c := range []struct {
		name, patch string
		repository  bool
		copied      bool
	}{
		{"code alone", change, true, false},
		{"all", change + added + test + removed, true, true},
		{"no repository", change + added + test + removed, false, true},
	} {
		dir := tree(t, source)
		if c.repository {
			commit(t, dir)
		}
		read1, err := Parse(t.Context(), "x.patch", []byte(c.patch), dir)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		to := filepath.Join(dir, "mendel-out", "_original")
		p, err := read1.Place(t.Context(), dir, to)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if p.Copied != c.copied || string(p.Files[filepath.Join(p.Dir, "p.go")]) != mended || read(t, filepath.Join(p.Dir, "p.go")) != original {
			t.Errorf("%s: %+v", c.name, p)
		}
		if !c.copied {
			if p.Dir != dir || len(p.Files) != 1 {
				t.Errorf("%s: %+v", c.name, p)
			}
			continue
		}
		for name, want := range map[string]string{"p_test.go": "package p\n", "new.go": "package p\n", "gone.go": source["gone.go"], "generated.go": "package p\n"} {
			if got := read(t, filepath.Join(to, name)); got != want {
				t.Errorf("%s: the original's %s is %q", c.name, name, got)
			}
		}
		if got := string(p.Files[filepath.Join(to, "gone.go")]); got != "// Doc.\n\n//go:build !js\n\npackage p\n" {
			t.Errorf("%s: the removed file is %q", c.name, got)
		}
		if _, err := os.Stat(filepath.Join(to, "mendel-out")); err == nil && c.repository {
			t.Errorf("%s: what git ignores is copied", c.name)
		}
	}
}

// The change since a revision has what is not committed, and files that git does not know.
func TestSince(t *testing.T) {
	needGit(t)
	dir := tree(t, map[string]string{"go.mod": "module m\n", "p.go": original, "same.go": "package p\n", "gone.go": "package p\n"})
	commit(t, dir)
	for name, text := range map[string]string{"p.go": mended, "new.go": "package p\n"} {
		if err := write(dir, name, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Remove(filepath.Join(dir, "gone.go")); err != nil {
		t.Fatal(err)
	}
	c, err := Since(t.Context(), dir, "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range c.Files {
		names = append(names, f.Path)
	}
	if want := []string{"gone.go", "new.go", "p.go"}; !slices.Equal(names, want) {
		t.Errorf("changed are %q, want %q", names, want)
	}
	p, err := c.Place(t.Context(), dir, filepath.Join(dir, "_original"))
	if err != nil {
		t.Fatal(err)
	}
	if got := read(t, filepath.Join(p.Dir, "p.go")); got != original {
		t.Errorf("the original is %q", got)
	}
	if _, err := Since(t.Context(), dir, "nosuch"); err == nil || !strings.Contains(err.Error(), "there is no revision nosuch") {
		t.Errorf("an unknown revision: %v", err)
	}
	if _, err := Since(t.Context(), t.TempDir(), "HEAD"); err == nil || !strings.Contains(err.Error(), "no git repository") {
		t.Errorf("no repository: %v", err)
	}
}

// A change of tests alone is none to verify.
func TestPlaceTestsAlone(t *testing.T) {
	c := &Change{Name: "x.patch", Root: t.TempDir(), Files: []File{{"p_test.go", nil, []byte("package p\n")}}}
	if _, err := c.Place(t.Context(), c.Root, t.TempDir()); err == nil || !strings.Contains(err.Error(), "changes no Go file but tests") {
		t.Error(err)
	}
}

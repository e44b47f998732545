package textreport

import (
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"mendel/internal/dossier"
	"mendel/internal/report"
)

// git runs git in a directory and returns what it prints.
func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	c := exec.CommandContext(context.Background(), "git", args...)
	c.Dir = dir
	c.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull,
		"GIT_CEILING_DIRECTORIES="+filepath.Dir(dir), "GIT_COMMITTER_NAME=c", "GIT_COMMITTER_EMAIL=c@localhost")
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s", c, err, out)
	}
	return strings.TrimSpace(string(out))
}

// repositoryOf is a repository that holds the files of a fix before it.
func repositoryOf(t *testing.T, f dossier.Fix, below string) string {
	t.Helper()
	dir := t.TempDir()
	git(t, dir, "init", "-q")
	for _, file := range f.Files {
		name := filepath.Join(dir, below, filepath.FromSlash(file.Path))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(file.Before), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	git(t, dir, "add", ".")
	git(t, dir, "-c", "user.name=a", "-c", "user.email=a@localhost", "commit", "-q", "-m", "first")
	return dir
}

// mail saves a patch beside a repository.
func mail(t *testing.T, d *dossier.Dossier, i int) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "fix.patch")
	text := written(t, func(w io.Writer) error { return Patch(w, d, i) })
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

func fixed(t *testing.T, dir, below string, f dossier.Fix) {
	t.Helper()
	for _, file := range f.Files {
		got, err := os.ReadFile(filepath.Join(dir, below, filepath.FromSlash(file.Path)))
		if err != nil || string(got) != file.After {
			t.Errorf("%s is now, %v:\n%s", file.Path, err, got)
		}
	}
}

// git am commits a patch with its message and nothing else, in a subdirectory
// too; git apply takes it as well.
func TestPatch(t *testing.T) {
	d := bank()
	d.Fixes[0].Title = "Fix data race in (*Größe).Deposit, of which the receiver has so long a name that the line is folded"
	d.Fixes[0].Message = d.Fixes[0].Title + "\n\n9 of 10 runs of the original failed.\n\nFrom: somebody\n--- a/x\n+++ b/x\ndiff --git a/x b/x\n---\nthe end\n"
	for i, f := range d.Fixes {
		for _, below := range []string{"", "m"} {
			dir := repositoryOf(t, f, below)
			git(t, dir, "am", "-q", "--directory="+below, mail(t, d, i))
			fixed(t, dir, below, f)
			if got := git(t, dir, "status", "--porcelain"); got != "" {
				t.Errorf("left over: %s", got)
			}
			if got := git(t, dir, "log", "-1", "--format=%s"); got != f.Title {
				t.Errorf("subject %q, want %q", got, f.Title)
			}
			if got := git(t, dir, "log", "-1", "--format=%an %ad", "--date=iso-strict"); got != "Mendel 2026-05-04T03:02:01+00:00" && got != "Mendel 2026-05-04T03:02:01Z" {
				t.Errorf("author and date %q", got)
			}
			body := git(t, dir, "log", "-1", "--format=%b")
			if i == 0 && (!strings.HasPrefix(body, "9 of 10 runs") || !strings.HasSuffix(body, "the end") || !strings.Contains(body, "> --- a/x")) {
				t.Errorf("body:\n%s", body)
			}
		}
		dir := repositoryOf(t, f, "")
		git(t, dir, "apply", "--whitespace=error", mail(t, d, i))
		fixed(t, dir, "", f)
	}
}

// What a page offers to copy, and what a repair leaves in its output directory, is
// a mail as well.
func TestPatchFileIsAMail(t *testing.T) {
	d := bank()
	f := d.Fixes[0]
	name := filepath.Join(t.TempDir(), f.Patch)
	if err := os.WriteFile(name, report.PatchFile(&f), 0o666); err != nil {
		t.Fatal(err)
	}
	dir := repositoryOf(t, f, "")
	git(t, dir, "am", "-q", name)
	fixed(t, dir, "", f)
	if got := git(t, dir, "log", "-1", "--format=%an: %s"); got != "Mendel: "+f.Title {
		t.Errorf("author and subject %q", got)
	}
	if body := git(t, dir, "log", "-1", "--format=%b"); !strings.HasPrefix(body, "9 of 10 runs") || strings.Contains(body, f.Title) {
		t.Errorf("body:\n%s", body)
	}
	dir = repositoryOf(t, f, "")
	git(t, dir, "apply", name)
	fixed(t, dir, "", f)
}

// A message cannot make git am read another diff than the fix's.
func TestPatchHostile(t *testing.T) {
	d := bank()
	f := &d.Fixes[0]
	f.Title, f.Message = nasty, nasty
	dir := repositoryOf(t, *f, "")
	git(t, dir, "am", "-q", mail(t, d, 0))
	fixed(t, dir, "", *f)
	if got := git(t, dir, "show", "--format=", "--name-only"); got != "bank/bank.go" {
		t.Errorf("it changes %s", got)
	}
}

func TestMessage(t *testing.T) {
	for _, tt := range []struct{ title, message, want string }{
		{"Fix it", "Fix it\n\nBody.\n", "Fix it\n\nBody.\n"},
		{"Fix it", "Body.", "Fix it\n\nBody.\n"},
		{"Fix it", "", "Fix it\n"},
		{"", "", "Fix a concurrency failure\n"},
	} {
		d := &dossier.Dossier{Fixes: []dossier.Fix{{Title: tt.title, Message: tt.message}}}
		if got := Message(d, 0); got != tt.want {
			t.Errorf("Message(%q, %q) = %q, want %q", tt.title, tt.message, got, tt.want)
		}
	}
}

package change

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The commits of a range are checked out one after the other, beside the user's checkout,
// which stays as it is; and nothing is left behind.
func TestHistory(t *testing.T) {
	repo := t.TempDir()
	call := func(args ...string) string {
		t.Helper()
		out, err := gitWith(t.Context(), repo, []string{"GIT_CONFIG_GLOBAL=" + os.DevNull}, args...)
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(string(out))
	}
	call("init", "-q")
	name := filepath.Join(repo, "sub", "n")
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	var commits []string
	for i := range 6 {
		if err := os.WriteFile(name, fmt.Append(nil, i), 0o666); err != nil {
			t.Fatal(err)
		}
		call("add", ".")
		call("-c", "user.name=A B", "-c", "user.email=a@example.com", "commit", "-qm", fmt.Sprintf("change %d", i))
		commits = append(commits, call("rev-parse", "HEAD"))
	}
	// A hook of the user's is not called, and a variable that a hook sets misleads nobody.
	hook := filepath.Join(repo, ".git", "hooks", "post-checkout")
	if err := os.WriteFile(hook, []byte("#!/bin/sh\nexit 1\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GIT_DIR", filepath.Join(t.TempDir(), "none"))
	if err := os.WriteFile(name, []byte("mine"), 0o666); err != nil {
		t.Fatal(err)
	}
	tree := filepath.Join(t.TempDir(), "tree")
	h, err := OpenHistory(t.Context(), filepath.Join(repo, "sub"), commits[0]+"..", tree)
	if err != nil {
		t.Fatal(err)
	}
	if h.Good != commits[0] || h.Bad != commits[5] {
		t.Errorf("%s..%s, want %s..%s", h.Good, h.Bad, commits[0], commits[5])
	}
	between, err := h.Between(t.Context(), h.Bad, []string{h.Good, commits[2]})
	if err != nil || len(between) != 3 || between[2] != commits[5] || slices.Contains(between, commits[2]) {
		t.Errorf("%v, %v", between, err)
	}
	next, err := h.Next(t.Context(), commits[2], []string{commits[0]}, []string{commits[1]})
	if next != "" || err != nil {
		t.Errorf("%s is to be tried, %v, want none", next, err)
	}
	for _, i := range []int{3, 1} {
		dir, err := h.Checkout(t.Context(), commits[i])
		if err != nil {
			t.Fatal(err)
		}
		if text, err := os.ReadFile(filepath.Join(dir, "n")); string(text) != fmt.Sprint(i) {
			t.Errorf("commit %d has %q, %v", i, text, err)
		}
		if _, err := os.Stat(filepath.Join(dir, "left")); err == nil {
			t.Error("something is left of another commit")
		}
		if err := os.WriteFile(filepath.Join(dir, "left"), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	c, err := h.Commit(t.Context(), commits[3])
	if err != nil || c.Subject != "change 3" || c.Author != "A B" || len(c.Date) != 10 {
		t.Errorf("%+v, %v", c, err)
	}
	if err := h.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(tree); err == nil {
		t.Error("the worktree is still there")
	}
	os.Unsetenv("GIT_DIR") // restored by Setenv
	if list := call("worktree", "list"); strings.Count(list, "\n") != 0 {
		t.Errorf("worktrees: %s", list)
	}
	if text, _ := os.ReadFile(name); string(text) != "mine" || call("rev-parse", "HEAD") != commits[5] {
		t.Errorf("the checkout has changed: %s", text)
	}
}

func TestOpenHistoryRefuses(t *testing.T) {
	repo := t.TempDir()
	for _, args := range [][]string{{"init", "-q"}, {"-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "--allow-empty", "-m", "one"}} {
		if _, err := gitWith(t.Context(), repo, []string{"GIT_CONFIG_GLOBAL=" + os.DevNull}, args...); err != nil {
			t.Fatal(err)
		}
	}
	for revisions, want := range map[string]string{
		"HEAD": "want GOOD..BAD", "..HEAD": "want GOOD..BAD", "HEAD...HEAD": "want GOOD..BAD",
		"nosuch..HEAD": "no revision nosuch", "HEAD..HEAD": "nothing lies between",
	} {
		if _, err := OpenHistory(t.Context(), repo, revisions, filepath.Join(t.TempDir(), "tree")); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", revisions, err, want)
		}
	}
}

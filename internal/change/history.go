package change

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A History is the commits between two revisions of a repository, and a worktree in
// which they are checked out one at a time.
type History struct {
	Good, Bad string // commits

	repository string   // directory in the user's checkout
	tree       string   // the worktree
	prefix     string   // of the caller's directory in the repository
	env        []string // of git
}

// A Commit as people know it.
type Commit struct {
	Hash    string `json:"hash"`
	Subject string `json:"subject"`
	Author  string `json:"author"`
	Date    string `json:"date"` // of the author, 2006-01-02
}

// located are the variables by which git finds a repository without looking where it is
// called, as in hooks. With them a worktree would be taken for the user's checkout.
var located = []string{"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY", "GIT_PREFIX", "GIT_NAMESPACE"}

// OpenHistory opens the commits of a range GOOD..BAD in the repository that a directory
// lies in. "GOOD.." is up to HEAD. tree is where the worktree is made; it must not be
// there yet. Close removes it.
func OpenHistory(ctx context.Context, dir, revisions, tree string) (h *History, err error) {
	good, bad, ok := strings.Cut(revisions, "..")
	if !ok || good == "" || strings.HasPrefix(bad, ".") {
		return nil, fmt.Errorf("%s is no range of commits: want GOOD..BAD", revisions)
	}
	if bad == "" {
		bad = "HEAD"
	}
	h = &History{repository: dir, tree: tree}
	for _, v := range os.Environ() {
		if name, _, _ := strings.Cut(v, "="); !slices.Contains(located, name) {
			h.env = append(h.env, v)
		}
	}
	prefix, err := h.ask(ctx, "rev-parse", "--show-prefix")
	if err != nil {
		return nil, fmt.Errorf("%s is in no git repository with a checkout: %w", dir, err)
	}
	h.prefix = filepath.FromSlash(prefix)
	for _, r := range []struct {
		commit *string
		name   string
	}{{&h.Good, good}, {&h.Bad, bad}} {
		if *r.commit, err = h.ask(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", r.name+"^{commit}"); err != nil {
			return nil, errors.Join(ctx.Err(), fmt.Errorf("there is no revision %s in the repository of %s", r.name, dir))
		}
	}
	if _, err := h.ask(ctx, "merge-base", "--is-ancestor", h.Good, h.Bad); err != nil || h.Good == h.Bad {
		return nil, errors.Join(ctx.Err(), fmt.Errorf("%s is no ancestor of %s: nothing lies between them", good, bad))
	}
	if _, err := h.ask(ctx, "worktree", "add", "--quiet", "--detach", "--no-checkout", tree, h.Bad); err != nil {
		return nil, errors.Join(fmt.Errorf("make a worktree: %w", err), h.Close())
	}
	return h, nil
}

// ask runs git in the user's repository, without its hooks.
func (h *History) ask(ctx context.Context, args ...string) (string, error) {
	return h.run(ctx, h.repository, args...)
}

func (h *History) run(ctx context.Context, dir string, args ...string) (string, error) {
	args = append([]string{"-c", "core.hooksPath=" + os.DevNull}, args...)
	out, err := gitIn(ctx, dir, h.env, args...)
	return strings.TrimSuffix(string(out), "\n"), err
}

// Close removes the worktree, also when the context is over.
func (h *History) Close() error {
	ctx := context.Background()
	_, err := h.ask(ctx, "worktree", "remove", "--force", "--force", h.tree)
	if _, gone := os.Stat(h.tree); err != nil && gone == nil {
		err = errors.Join(err, os.RemoveAll(h.tree))
	}
	// What git knows of a worktree that is not there.
	_, pruned := h.ask(ctx, "worktree", "prune")
	if err != nil && pruned == nil {
		if _, gone := os.Stat(h.tree); gone != nil {
			return nil
		}
	}
	return errors.Join(err, pruned)
}

// Checkout makes the worktree that of a commit, and names the directory in it that
// stands for the caller's. Nothing is left there of other commits. The error is also for
// a commit that does not have the directory.
func (h *History) Checkout(ctx context.Context, commit string) (dir string, err error) {
	for _, args := range [][]string{
		{"checkout", "--quiet", "--force", "--detach", commit},
		{"clean", "--quiet", "-ffdx"},
	} {
		if _, err := h.run(ctx, h.tree, args...); err != nil {
			return "", fmt.Errorf("check out %s: %w", commit, err)
		}
	}
	dir = filepath.Join(h.tree, h.prefix)
	if _, err := os.Stat(dir); err != nil {
		return "", fmt.Errorf("%s has no directory %s", commit, h.prefix)
	}
	return dir, nil
}

// Between are the commits that may be the first bad one, when some are known to be good:
// those that bad has and none of good has, the best to try next first and bad the last.
func (h *History) Between(ctx context.Context, bad string, good []string) ([]string, error) {
	args := []string{"rev-list", "--bisect-all", bad}
	for _, commit := range good {
		args = append(args, "^"+commit)
	}
	list, err := h.ask(ctx, args...)
	if err != nil {
		return nil, fmt.Errorf("list the commits up to %s: %w", bad, err)
	}
	var commits []string
	for line := range strings.Lines(list) {
		if commit := strings.Fields(line)[0]; commit != bad {
			commits = append(commits, commit)
		}
	}
	return append(commits, bad), nil
}

// Next is the commit to try next, some good and some skipped: "" if none is left.
func (h *History) Next(ctx context.Context, bad string, good, skipped []string) (string, error) {
	commits, err := h.Between(ctx, bad, good)
	if err != nil {
		return "", err
	}
	for _, commit := range commits {
		if commit != bad && !slices.Contains(skipped, commit) {
			return commit, nil
		}
	}
	return "", nil
}

// Commit describes a commit.
func (h *History) Commit(ctx context.Context, commit string) (Commit, error) {
	text, err := h.ask(ctx, "show", "--no-patch", "--no-show-signature", "--date=format:%Y-%m-%d", "--format=%H%x00%an%x00%ad%x00%s", commit)
	f := strings.SplitN(text, "\x00", 4)
	if err == nil && len(f) < 4 {
		err = errors.New("git describes it in another form than expected")
	}
	if err != nil {
		return Commit{Hash: commit}, fmt.Errorf("describe %s: %w", commit, err)
	}
	return Commit{Hash: f[0], Author: f[1], Date: f[2], Subject: f[3]}, nil
}

package repository

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"mendel/internal/bench/commands"
	"mendel/internal/gotool"
)

// A Shelf is where the clones of the repositories are.
type Shelf struct {
	Dir   string // has one git directory per repository, as owner+name or owner+name/repo
	Cache string // directory in which what Dir lacks is cloned; "": one below the user's cache
}

// cloneTimeout limits a clone over the network, gitTimeout another git command.
const (
	cloneTimeout = 10 * time.Minute
	gitTimeout   = 2 * time.Minute
)

// Find finds the repository of a bug, which has the human fix and its parent. What is
// not on the shelf is cloned.
func (s Shelf) Find(ctx context.Context, b Bug) (Source, error) {
	clone, err := s.find(ctx, b)
	return Source{b, clone}, err
}

// find returns the git directory of a bug's repository.
func (s Shelf) find(ctx context.Context, b Bug) (string, error) {
	if s.Cache == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return "", fmt.Errorf("find the directory for clones: %w", err)
		}
		s.Cache = filepath.Join(cache, "mendel-bench", "clones")
	}
	base := strings.Replace(b.Repo, "/", "+", 1)
	var lacking error
	for _, dir := range []string{s.Dir, s.Cache} {
		if dir == "" {
			continue
		}
		for _, name := range []string{base, filepath.Join(base, "repo"), base + ".git", filepath.Join(base, ".git")} {
			clone := filepath.Join(dir, name)
			if _, err := os.Stat(filepath.Join(clone, "HEAD")); err != nil {
				continue
			}
			if lacking = has(ctx, clone, b); lacking == nil {
				return clone, nil
			}
		}
	}
	clone := filepath.Join(s.Cache, base)
	if lacking != nil {
		return "", fmt.Errorf("%w; bring the clone up to date, or remove it", lacking)
	}
	if err := fetch(ctx, "https://github.com/"+b.Repo, clone); err != nil {
		return "", fmt.Errorf("%s is not below %q and cannot be cloned: %w; name the directory of the clones with --clones", base, s.Dir, err)
	}
	return clone, has(ctx, clone, b)
}

// has reports an error if a clone lacks a commit of a bug.
func has(ctx context.Context, clone string, b Bug) error {
	for _, commit := range []string{b.Parent, b.FixCommit} {
		if _, err := git(ctx, clone, "cat-file", "-e", commit+"^{commit}"); err != nil {
			return fmt.Errorf("%s has no commit %s: %w", clone, commit, err)
		}
	}
	return nil
}

// fetch makes a bare clone. One that is not complete is not left behind.
func fetch(ctx context.Context, url, clone string) error {
	if err := os.MkdirAll(filepath.Dir(clone), 0o777); err != nil {
		return fmt.Errorf("make the directory of the clones: %w", err)
	}
	part := clone + ".part"
	if err := os.RemoveAll(part); err != nil {
		return fmt.Errorf("remove an incomplete clone: %w", err)
	}
	if _, err := runGit(ctx, "", cloneTimeout, "clone", "--quiet", "--bare", url, part); err != nil {
		return err
	}
	if err := os.Rename(part, clone); err != nil {
		return fmt.Errorf("keep a clone: %w", err)
	}
	return nil
}

// git runs git on a clone, which may belong to another user.
func git(ctx context.Context, clone string, args ...string) ([]byte, error) {
	return runGit(ctx, "", gitTimeout, append([]string{"-c", "safe.directory=*", "--git-dir=" + clone}, args...)...)
}

// runGit runs git in a directory and returns what it printed.
func runGit(ctx context.Context, dir string, limit time.Duration, args ...string) ([]byte, error) {
	command, err := commands.Find("git", "install git")
	if err != nil {
		return nil, err
	}
	r, err := gotool.Run(ctx, gotool.RunOptions{
		Path: command, Args: args, Dir: dir, Timeout: limit, Memory: 4 << 30, OutputLimit: 64 << 20,
		// git asks nobody for a password, and does not look for a repository above.
		Env: []string{"GIT_TERMINAL_PROMPT=0", "GIT_CEILING_DIRECTORIES=" + filepath.Dir(dir)},
	})
	if err != nil {
		return nil, fmt.Errorf("run git: %w", err)
	}
	problem, err := commands.Verdict(ctx, r)
	if err != nil {
		return nil, err
	}
	if problem != "" {
		return nil, &gitProblem{problem}
	}
	return r.Output, nil
}

// A gitProblem is a git command that failed.
type gitProblem struct{ said string }

func (p *gitProblem) Error() string { return "git: " + p.said }

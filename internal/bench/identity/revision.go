package identity

import (
	"context"
	"errors"
	"strings"

	"mendel/internal/bench/commands"
	"mendel/internal/gotool"
)

// Revision names the commit of the source that the command runs in, with its
// date, as in "revision 00e9d61 of 2026-11-21". It is for a reader: without git
// or outside of Mendel's source it says that the revision is not known.
func Revision() string {
	const unknown = "an unknown revision"
	dir, err := source()
	if err != nil || dir == "" {
		return unknown
	}
	// An interrupted evaluation names its revision, too: no caller's context.
	commit, err := git(context.Background(), dir, "log", "-1", "--format=%h of %cs")
	if err != nil || commit == "" {
		return unknown
	}
	changes, err := git(context.Background(), dir, "status", "--porcelain", "--untracked-files=no")
	if err != nil || changes != "" {
		commit += " with changes"
	}
	return "revision " + commit
}

// git runs git in a directory and returns what it printed.
func git(ctx context.Context, dir string, args ...string) (string, error) {
	path, err := commands.Find("git", "install git")
	if err != nil {
		return "", err
	}
	r, err := gotool.Run(ctx, gotool.RunOptions{Path: path, Args: args, Dir: dir})
	if err != nil {
		return "", err
	}
	problem, err := commands.Verdict(ctx, r)
	if err == nil && problem != "" {
		err = errors.New(problem)
	}
	if err != nil {
		return "", err
	}
	return strings.TrimSpace(string(r.Output)), nil
}

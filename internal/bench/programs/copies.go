package programs

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"mendel/internal/bench/commands"
	"mendel/internal/gotool"
)

// An Effort is how much is spent on a repair and on checking it.
type Effort struct {
	Limit   time.Duration // of one repair, from beginning to end
	Runs    int           // noised, to check a patched program
	Workers int           // builds and runs at a time; 0: the number of CPUs
	NoRace  bool          // without the race detector
	Leaks   bool          // check with the runtime's leak profile too
	Until   string        // trial.UntilCandidate: nothing is validated; trial.UntilLimit: neither, and nothing ends the search before its time; "": until there is a fix
}

// Copy copies a module's directory, testdata left out.
func Copy(to, from string) error {
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		return fmt.Errorf("copy %s: %w", from, err)
	}
	if err := os.RemoveAll(filepath.Join(to, "testdata")); err != nil {
		return fmt.Errorf("copy %s: %w", from, err)
	}
	return nil
}

// PatchedCopy copies the module in source to dir and applies a patch. It
// returns what git had to say against the patch.
func PatchedCopy(ctx context.Context, dir, source, patch string) (said string, err error) {
	if err := Copy(dir, source); err != nil {
		return "", err
	}
	file := dir + ".patch" // outside the copy
	if err := os.WriteFile(file, []byte(patch), 0o666); err != nil {
		return "", fmt.Errorf("write a patch: %w", err)
	}
	return gitApply(ctx, dir, file)
}

// gitApply applies a patch in a directory that is in no repository. It
// returns what git had to say against it.
func gitApply(ctx context.Context, dir, patch string) (said string, err error) {
	git, err := commands.Find("git", "install git")
	if err != nil {
		return "", err
	}
	r, err := gotool.Run(ctx, gotool.RunOptions{
		Path: git, Args: []string{"apply", "--whitespace=error", patch}, Dir: dir,
		// Inside a repository git apply would quietly skip what is not below it.
		Env: []string{"GIT_CEILING_DIRECTORIES=" + filepath.Dir(dir)},
	})
	if err != nil {
		return "", fmt.Errorf("apply %s: %w", patch, err)
	}
	return commands.Verdict(ctx, r)
}

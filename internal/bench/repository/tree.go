package repository

import (
	"archive/tar"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"mendel/internal/bench/commands"
	"mendel/internal/gotool"
)

// A Source is where the trees of a bug come from.
type Source struct {
	Bug
	clone string // git directory
}

// Prepare makes the faulty tree in a directory that does not exist yet: the
// parent of the human fix, with the tests put in.
func (s Source) Prepare(ctx context.Context, dir string) error {
	if err := s.archive(ctx, dir); err != nil {
		return fmt.Errorf("check out %s: %w", s.Name, err)
	}
	for _, name := range s.Remove {
		if err := os.RemoveAll(filepath.Join(dir, filepath.FromSlash(name))); err != nil {
			return fmt.Errorf("prepare %s: %w", s.Name, err)
		}
	}
	if err := s.take(ctx, dir, s.TestFiles); err != nil {
		return err
	}
	if s.OwnTest != "" {
		text, err := s.ownTest()
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, filepath.FromSlash(s.Package), ownTestName), text, 0o666)
		}
		if err != nil {
			return fmt.Errorf("put in the test of %s: %w", s.Name, err)
		}
	}
	download := []string{"mod", "download"}
	if len(s.GoMod) > 0 {
		if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(strings.Join(s.GoMod, "\n")+"\n"), 0o666); err != nil {
			return fmt.Errorf("prepare %s: %w", s.Name, err)
		}
		download = []string{"mod", "tidy"}
	}
	if _, err := commands.Go(ctx, dir, download...); err != nil {
		return fmt.Errorf("prepare the dependencies of %s: %w", s.Name, err)
	}
	return nil
}

// Mend puts the human fix into a faulty tree, without its tests.
func (s Source) Mend(ctx context.Context, dir string) error {
	return s.take(ctx, dir, s.HumanFixFiles)
}

// HumanDiff is the human fix, without its tests.
func (s Source) HumanDiff(ctx context.Context) (string, error) {
	diff, err := git(ctx, s.clone, append([]string{"diff", "--no-color", "--no-ext-diff", s.Parent, s.FixCommit, "--"}, s.HumanFixFiles...)...)
	return string(diff), err
}

// take writes files as the human fix has them.
func (s Source) take(ctx context.Context, dir string, names []string) error {
	for _, name := range names {
		text, err := git(ctx, s.clone, "show", s.FixCommit+":"+name)
		if err != nil {
			return fmt.Errorf("take %s from the fix of %s: %w", name, s.Name, err)
		}
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			return fmt.Errorf("take %s from the fix of %s: %w", name, s.Name, err)
		}
		if err := os.WriteFile(file, text, 0o666); err != nil {
			return fmt.Errorf("take %s from the fix of %s: %w", name, s.Name, err)
		}
	}
	return nil
}

// archive writes the parent's files to a directory.
func (s Source) archive(ctx context.Context, dir string) (err error) {
	packed := dir + ".tar"
	if _, err := git(ctx, s.clone, "archive", "--format=tar", "--output="+packed, s.Parent); err != nil {
		return err
	}
	file, err := os.Open(packed)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close(), os.Remove(packed)) }()
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	for r := tar.NewReader(file); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := unpack(root, h, r); err != nil {
			return fmt.Errorf("unpack %s: %w", h.Name, err)
		}
	}
}

// unpack writes a directory or a file of an archive. Links are left out: no
// package of Go needs one.
func unpack(root *os.Root, h *tar.Header, content io.Reader) error {
	name := filepath.FromSlash(strings.TrimSuffix(h.Name, "/"))
	switch h.Typeflag {
	case tar.TypeDir:
		return root.MkdirAll(name, 0o777)
	case tar.TypeReg:
		if err := root.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return err
		}
		file, err := root.OpenFile(name, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, h.FileInfo().Mode().Perm())
		if err != nil {
			return err
		}
		_, err = io.Copy(file, content)
		return errors.Join(err, file.Close())
	}
	return nil
}

// CopyTree copies a prepared tree, testdata included.
func CopyTree(to, from string) error {
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		return fmt.Errorf("copy %s: %w", from, err)
	}
	return nil
}

// Apply applies a patch to a tree that is in no repository, and says what git
// has against it.
func Apply(ctx context.Context, tree, patch string) (problem string, err error) {
	file := tree + ".patch"
	if err := gotool.WriteFile(file, []byte(patch)); err != nil {
		return "", fmt.Errorf("write a patch: %w", err)
	}
	_, err = runGit(ctx, tree, gitTimeout, "apply", file)
	if refused := (*gitProblem)(nil); errors.As(err, &refused) {
		return "git apply: " + refused.said, nil
	}
	return "", err
}

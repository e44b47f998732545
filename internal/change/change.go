package change

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// A Change is what is different in some files.
type Change struct {
	Name string // what people know it by: the patch file, "since REV"
	Root string // absolute directory that the files' names are relative to
	// Applied: the files in Root are those after the change.
	Applied bool
	Files   []File // by name
}

// A File that a change concerns.
type File struct {
	Path          string // relative to Change.Root, with slashes
	Before, After []byte // nil: it is not there
}

// isCode reports whether a file is what a change is about, not what it is tried with.
func (f File) isCode() bool {
	return strings.HasSuffix(f.Path, ".go") && !strings.HasSuffix(f.Path, "_test.go") && !inTestdata(f.Path)
}

// matters reports whether a file may matter to what is built or run.
func (f File) matters() bool {
	return !strings.HasSuffix(f.Path, ".md") || inTestdata(f.Path)
}

func inTestdata(name string) bool { return slices.Contains(strings.Split(name, "/"), "testdata") }

// ErrNothing is the error for a change in which nothing is different.
var ErrNothing = errors.New("changes nothing")

// Since is the change from a revision to the working tree of the repository that a
// directory lies in, untracked files included.
func Since(ctx context.Context, dir, revision string) (*Change, error) {
	root, err := topLevel(ctx, dir)
	if err != nil {
		return nil, fmt.Errorf("find the repository of %s: %w", dir, err)
	}
	if root == "" {
		return nil, fmt.Errorf("%s is in no git repository, so that there is no revision %s", dir, revision)
	}
	if _, err := git(ctx, root, "rev-parse", "--verify", "--quiet", "--end-of-options", revision+"^{commit}"); err != nil {
		return nil, fmt.Errorf("there is no revision %s in %s", revision, root)
	}
	changed, err := git(ctx, root, "diff", "--name-only", "--no-renames", "-z", revision, "--")
	if err != nil {
		return nil, fmt.Errorf("compare with %s: %w", revision, err)
	}
	untracked, err := git(ctx, root, "ls-files", "--others", "--exclude-standard", "-z")
	if err != nil {
		return nil, fmt.Errorf("list untracked files: %w", err)
	}
	c := &Change{Name: "since " + revision, Root: root, Applied: true}
	for _, name := range slices.Concat(fields(changed), fields(untracked)) {
		f := File{Path: name}
		if f.After, err = readFile(root, name); err != nil {
			return nil, err
		}
		if text, err := git(ctx, root, "show", revision+":"+name); err == nil {
			f.Before = notNil(text)
		}
		if !bytes.Equal(f.Before, f.After) || (f.Before == nil) != (f.After == nil) {
			c.Files = append(c.Files, f)
		}
	}
	return c.sorted()
}

// sorted orders the files of a change. The error says that there are none.
func (c *Change) sorted() (*Change, error) {
	if len(c.Files) == 0 {
		return nil, fmt.Errorf("%s %w", c.Name, ErrNothing)
	}
	slices.SortFunc(c.Files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	return c, nil
}

// topLevel is the root of the repository that a directory lies in, by the name that
// the directory has; "" if it lies in none.
func topLevel(ctx context.Context, dir string) (string, error) {
	up, err := git(ctx, dir, "rev-parse", "--show-cdup")
	var failed *exec.ExitError
	switch {
	case errors.As(err, &failed):
		return "", nil
	case err != nil:
		return "", err
	}
	return filepath.Join(dir, filepath.FromSlash(strings.TrimSpace(string(up)))), nil
}

// git runs git in a directory and returns its output. The error has what it complained of.
func git(ctx context.Context, dir string, args ...string) ([]byte, error) {
	return gitWith(ctx, dir, nil, args...)
}

// gitWith is git with variables added to the environment.
func gitWith(ctx context.Context, dir string, env []string, args ...string) ([]byte, error) {
	return gitIn(ctx, dir, append(os.Environ(), env...), args...)
}

// gitIn is git with an environment of its own.
func gitIn(ctx context.Context, dir string, env []string, args ...string) ([]byte, error) {
	c := exec.CommandContext(ctx, "git", args...)
	c.Dir = dir
	c.Env = env
	var stderr bytes.Buffer
	c.Stderr = &stderr
	out, err := c.Output()
	if err != nil && ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if text := strings.TrimSpace(stderr.String()); err != nil && text != "" {
		return out, fmt.Errorf("git %s: %s: %w", args[0], text, err)
	}
	return out, err
}

// fields splits a list with a zero byte behind each element.
func fields(list []byte) []string {
	return strings.FieldsFunc(string(list), func(r rune) bool { return r == 0 })
}

// readFile is a file's content; nil if it is not there.
func readFile(root, name string) ([]byte, error) {
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(path.Clean(name))))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read what is changed: %w", err)
	}
	return notNil(text), nil
}

// notNil is a text that is there, if only empty.
func notNil(text []byte) []byte {
	if text == nil {
		return []byte{}
	}
	return text
}

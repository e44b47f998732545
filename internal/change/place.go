package change

import (
	"context"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A Placed change has an original, and what makes it the changed program.
type Placed struct {
	Dir   string            // that the caller's directory is, or stands for, in the original
	Files map[string][]byte // of the changed program, by absolute name in the original
	// Copied: the original is a copy, and Dir lies in it.
	Copied bool
}

// Place finds or makes the original of a change. If a copy is needed it is made in the
// directory named, and what was there before is removed. dir is a directory
// of the user's source. The error says, too, when the change has no code.
func (c *Change) Place(ctx context.Context, dir, copied string) (*Placed, error) {
	code := slices.DeleteFunc(slices.Clone(c.Files), func(f File) bool { return !f.isCode() })
	if len(code) == 0 {
		return nil, fmt.Errorf("%s changes no Go file but tests: there is nothing to verify", c.Name)
	}
	p := &Placed{Dir: dir, Files: map[string][]byte{}}
	root := c.Root
	if !c.inPlace() {
		rel, err := c.copy(ctx, dir, copied)
		if err != nil {
			return nil, fmt.Errorf("copy the source to %s: %w", copied, err)
		}
		p.Dir, p.Copied = filepath.Join(copied, rel.dir), true
		root = filepath.Join(copied, rel.root)
	}
	for _, f := range code {
		after := f.After
		if after == nil {
			after = clause(f.Before)
		}
		p.Files[filepath.Join(root, filepath.FromSlash(f.Path))] = after
	}
	return p, nil
}

// inPlace reports whether the user's source is the original.
func (c *Change) inPlace() bool {
	return !c.Applied && !slices.ContainsFunc(c.Files, func(f File) bool {
		return f.matters() && (!f.isCode() || f.Before == nil || f.After == nil)
	})
}

// within are directories of the user's, as seen from the root of what is copied.
type within struct{ dir, root string }

// copy makes the original in a directory.
func (c *Change) copy(ctx context.Context, dir, to string) (within, error) {
	if err := os.RemoveAll(to); err != nil {
		return within{}, err
	}
	from, names, err := c.sources(ctx, to)
	if err != nil {
		return within{}, err
	}
	var rel within
	if rel.dir, err = filepath.Rel(from, dir); err != nil {
		return rel, err
	}
	if rel.root, err = filepath.Rel(from, c.Root); err != nil {
		return rel, err
	}
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return rel, err
		}
		if err := copyFile(from, to, name); err != nil {
			return rel, err
		}
	}
	for _, f := range c.Files {
		if err := f.lay(filepath.Join(to, rel.root)); err != nil {
			return rel, err
		}
	}
	return rel, nil
}

// lay writes what a file is in the original: code as it was, all else as it is to be.
func (f File) lay(root string) error {
	text := f.After
	switch {
	case f.isCode() && f.Before == nil:
		text = clause(f.After)
	case f.isCode():
		text = f.Before
	case text == nil:
		if err := os.Remove(filepath.Join(root, filepath.FromSlash(f.Path))); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	return write(root, f.Path, text)
}

// clause is a Go file without its declarations: what stands above its package clause,
// and that.
func clause(text []byte) []byte {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", text, parser.PackageClauseOnly|parser.ParseComments)
	if err != nil {
		return text // whoever builds it will say what is wrong
	}
	return append(slices.Clone(text[:fset.PositionFor(file.Name.End(), false).Offset]), '\n')
}

// sources are the files to copy, and the root that their names are relative to: the
// repository's, or else the change's.
func (c *Change) sources(ctx context.Context, to string) (root string, names []string, err error) {
	if root, err = topLevel(ctx, c.Root); err != nil {
		return "", nil, err
	}
	if root == "" {
		names, err = c.walk(to)
		return c.Root, names, err
	}
	known, err := git(ctx, root, "ls-files", "--cached", "--others", "--exclude-standard", "-z")
	if err != nil {
		return "", nil, err
	}
	ignored, err := git(ctx, root, "ls-files", "--others", "--ignored", "--exclude-standard", "-z")
	if err != nil {
		return "", nil, err
	}
	out, err := filepath.Rel(root, filepath.Dir(to)) // it may hold what was copied before
	if err != nil {
		return "", nil, err
	}
	out = filepath.ToSlash(out) + "/"
	names = fields(known)
	for _, name := range fields(ignored) {
		if built(name) && !strings.HasPrefix(name, out) {
			names = append(names, name)
		}
	}
	return root, slices.Compact(names), nil
}

// built reports whether a file that git ignores may be needed to build a module.
func built(name string) bool {
	elements := strings.Split(name, "/")
	for _, e := range elements[:len(elements)-1] {
		if strings.HasPrefix(e, "_") || strings.HasPrefix(e, ".") {
			return false
		}
	}
	return strings.HasSuffix(name, ".go") || slices.Contains(elements, "vendor") || elements[len(elements)-1] == "go.work"
}

// walk lists the files of a tree that is in no repository, but for what is below a
// directory, and directories that the go command does not look into.
func (c *Change) walk(but string) (names []string, err error) {
	err = filepath.WalkDir(c.Root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		hidden := name != c.Root && (strings.HasPrefix(d.Name(), "_") || strings.HasPrefix(d.Name(), "."))
		if d.IsDir() && (hidden || name == but) {
			return filepath.SkipDir
		}
		if d.Type().IsRegular() {
			rel, rerr := filepath.Rel(c.Root, name)
			names = append(names, filepath.ToSlash(rel))
			return rerr
		}
		return nil
	})
	return names, err
}

// copyFile copies a regular file or a symbolic link. One that is not there, as a file
// that git knows and the user has removed, is left out, and so is a directory, as that
// of a submodule.
func copyFile(from, to, name string) error {
	old := filepath.Join(from, filepath.FromSlash(name))
	info, err := os.Lstat(old)
	switch {
	case errors.Is(err, fs.ErrNotExist) || err == nil && info.IsDir():
		return nil
	case err != nil:
		return err
	case info.Mode()&fs.ModeSymlink != 0:
		target, err := os.Readlink(old)
		if err != nil {
			return err
		}
		made := filepath.Join(to, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(made), 0o777); err != nil {
			return err
		}
		return os.Symlink(target, made)
	case !info.Mode().IsRegular():
		return nil
	}
	text, err := os.ReadFile(old)
	if err != nil {
		return err
	}
	return write(to, name, text)
}

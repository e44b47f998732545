package gotool

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// The standard library of a build may be changed by an overlay. But since Go 1.21 the
// toolchain that a go.mod asks for lies in the module cache, and the go command refuses
// to replace files there. So such a build has a GOROOT of its own, in which directories
// are real and files are links to the toolchain's. The compiled library still comes
// from the build cache: what is compiled of GOROOT does not know where that is.
//
// Sources are hard links where the system allows them. The go command keeps an index of a
// directory of regular files; one with a symbolic link it reads again for each build, which
// is a quarter of its own time.

// sources are the endings of files that may be links. Others are copied: go:embed takes
// no links.
var sources = []string{".go", ".s", ".S", ".h", ".c", ".syso"}

// linkedRoot returns the GOROOT of links, which it makes if it is not there.
func (t *Toolchain) linkedRoot(ctx context.Context) (string, error) {
	t.kept.mu.Lock()
	defer t.kept.mu.Unlock()
	if t.kept.root != "" {
		return t.kept.root, nil
	}
	dir, err := t.cacheDir(ctx)
	if err != nil {
		return "", err
	}
	root := filepath.Join(dir, "goroot")
	if err := ensureRoot(ctx, t.GOROOT, root); err != nil {
		return "", fmt.Errorf("link the toolchain in %s: %w", t.GOROOT, err)
	}
	t.kept.root = root
	return root, nil
}

// ensureRoot makes a GOROOT of links to another one unless it is there and whole. Hard links are as
// old as the toolchain, so what removes old files of caches leaves a part of it.
func ensureRoot(ctx context.Context, goroot, root string) error {
	if _, err := os.Stat(filepath.Join(root, "bin")); err != nil { // or the toolchain is gone and has come back
		return makeRoot(ctx, goroot, root)
	}
	err := walkRoot(ctx, goroot, "src", func(_, below string, _ fs.DirEntry) error {
		_, err := os.Lstat(filepath.Join(root, below))
		return err
	})
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.RemoveAll(root); err != nil {
		return err
	}
	return makeRoot(ctx, goroot, root)
}

// makeRoot makes a GOROOT of links to another one. Of several processes that do so at
// once the first wins.
func makeRoot(ctx context.Context, goroot, root string) (err error) {
	temp, err := os.MkdirTemp(filepath.Dir(root), thisProcess.tempPrefix())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	if err := os.Chmod(temp, 0o755); err != nil {
		return err
	}
	if err := linkLibrary(ctx, goroot, temp); err != nil {
		return err
	}
	entries, err := os.ReadDir(goroot)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.Name() == "src" {
			continue
		}
		if err := link(filepath.Join(goroot, e.Name()), filepath.Join(temp, e.Name()), e.IsDir()); err != nil {
			return err
		}
	}
	if err := os.Rename(temp, root); err != nil {
		if _, there := os.Stat(filepath.Join(root, "bin")); there == nil {
			return nil
		}
		return err
	}
	return nil
}

// linkLibrary makes the directory src of a GOROOT of links.
func linkLibrary(ctx context.Context, goroot, temp string) error {
	return walkRoot(ctx, goroot, "src", func(name, below string, d fs.DirEntry) error {
		to := filepath.Join(temp, below)
		info, err := os.Stat(name)
		switch {
		case err != nil:
			return err
		case below == commands || info.IsDir() && !d.IsDir():
			return link(name, to, true)
		case info.IsDir():
			return os.Mkdir(to, 0o777)
		case slices.Contains(sources, filepath.Ext(name)):
			return linkSource(name, to)
		}
		return copyFile(name, to)
	})
}

// linkSource makes a hard link, or else a symbolic one: to a file of another file system, or
// of another user's.
func linkSource(name, to string) error {
	if resolved, err := filepath.EvalSymlinks(name); err == nil && os.Link(resolved, to) == nil {
		return nil
	}
	return link(name, to, false)
}

// link makes a symbolic link or, where the system allows none, what is most like it.
func link(name, to string, dir bool) error {
	if resolved, err := filepath.EvalSymlinks(name); err == nil {
		name = resolved
	}
	err := os.Symlink(name, to)
	switch {
	case err == nil:
		return nil
	case dir:
		return os.CopyFS(to, os.DirFS(name))
	case os.Link(name, to) == nil:
		return nil
	}
	return copyFile(name, to)
}

func copyFile(name, to string) error {
	from, err := os.Open(name)
	if err != nil {
		return err
	}
	defer from.Close()
	f, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, from)
	return errors.Join(err, f.Close())
}

// reserve makes a directory for a package that only an overlay has. Go 1.25 believes in
// a package of the library if it sees, without the overlay, a name that ends in ".go". Files
// whose names begin with an underscore are in no build.
func reserve(dir string) error {
	name := filepath.Join(dir, "_.go")
	if _, err := os.Stat(name); err == nil {
		return nil
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	return os.WriteFile(name, nil, 0o666)
}

// inLibrary reports whether a file is one of GOROOT's library, or would be.
func (t *Toolchain) inLibrary(name string) bool {
	return t.GOROOT != "" && strings.HasPrefix(filepath.Clean(name), filepath.Join(t.GOROOT, "src")+string(filepath.Separator))
}

// relocated is an overlay's name of a file in a build under a GOROOT of links.
func (t *Toolchain) relocated(name, root string) string {
	if root == "" || !t.inLibrary(name) {
		return name
	}
	return root + strings.TrimPrefix(name, filepath.Clean(t.GOROOT))
}

// Original is a text of a program with the names that the library's files have for the user: those of
// a build under an overlay of the library are named after a GOROOT of links.
func (t *Toolchain) Original(text []byte) []byte {
	t.kept.mu.Lock()
	root := t.kept.root
	t.kept.mu.Unlock()
	if root == "" {
		return text
	}
	const src = "/src/"
	return bytes.ReplaceAll(text, []byte(filepath.ToSlash(root)+src), []byte(filepath.ToSlash(filepath.Clean(t.GOROOT))+src))
}

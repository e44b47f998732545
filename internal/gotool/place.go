package gotool

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// What is copied of a package's directory at most; what is beyond is only linked to. Guessed: tests read and write
// small files.
const (
	mostEntries = 1000    // of a directory
	mostCopied  = 200     // files
	mostBytes   = 4 << 20 // of all that are copied
)

// A place is a stand-in for a package's directory, below a temporary one: what a program makes there is
// seen by no other, and is removed with it. It has the package's data, and testdata, as copies, and links to its sources
// and to what is beside it in the module.
type place struct {
	files, bytes int64 // that may still be copied
}

// placeOf makes a place for a directory of a module, below a temporary directory. It is the directory itself where
// that cannot be had: it lies in no module, is too large, or the system has no links.
func placeOf(dir, temp string) string {
	root, err := moduleRoot(dir)
	if err != nil {
		return dir
	}
	top := filepath.Join(temp, "module")
	made, err := (&place{mostCopied, mostBytes}).make(root, dir, top)
	if err != nil {
		_ = removeAll(top) // else it is removed with the temporary directory
		return dir
	}
	return made
}

var errNoModule = errors.New("no go.mod above the directory")

// moduleRoot is the directory with the go.mod that is nearest above a directory.
func moduleRoot(dir string) (string, error) {
	if !filepath.IsAbs(dir) {
		return "", errNoModule
	}
	for at := filepath.Clean(dir); ; at = filepath.Dir(at) {
		if info, err := os.Stat(filepath.Join(at, "go.mod")); err == nil && info.Mode().IsRegular() {
			return at, nil
		}
		if at == filepath.Dir(at) {
			return "", errNoModule
		}
	}
}

// make makes the stand-in for dir below top, which stands for root.
func (p *place) make(root, dir, top string) (string, error) {
	rel, err := filepath.Rel(root, dir)
	if err != nil {
		return "", err
	}
	from, to := root, top
	if rel != "." {
		for _, name := range strings.Split(rel, string(filepath.Separator)) {
			if err := p.fill(from, to, name, p.link); err != nil {
				return "", err
			}
			from, to = filepath.Join(from, name), filepath.Join(to, name)
		}
	}
	return to, p.fill(from, to, "", p.own)
}

// fill makes a directory with what another one has, but for one name.
func (p *place) fill(from, to, but string, each func(from, to string, e fs.DirEntry) error) error {
	entries, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	if len(entries) > mostEntries {
		return errors.New("too many files")
	}
	if err := os.Mkdir(to, 0o777); err != nil {
		return err
	}
	for _, e := range entries {
		if e.Name() == but {
			continue
		}
		if err := each(filepath.Join(from, e.Name()), filepath.Join(to, e.Name()), e); err != nil {
			return err
		}
	}
	return nil
}

func (p *place) link(from, to string, _ fs.DirEntry) error { return os.Symlink(from, to) }

// own makes an entry of the package's own directory.
func (p *place) own(from, to string, e fs.DirEntry) error {
	switch {
	case e.IsDir() && e.Name() == "testdata":
		before := *p
		if err := p.fill(from, to, "", p.copied); err == nil {
			return nil
		}
		*p = before
		if err := removeAll(to); err != nil {
			return err
		}
	case e.Type().IsRegular() && filepath.Ext(e.Name()) != ".go":
		if err := p.copied(from, to, e); err == nil {
			return nil
		}
	}
	return os.Symlink(from, to)
}

var errTooLarge = errors.New("too much to copy")

// copied copies a file, or a directory with all that is in it.
func (p *place) copied(from, to string, e fs.DirEntry) error {
	if e.IsDir() {
		return p.fill(from, to, "", p.copied)
	}
	if !e.Type().IsRegular() {
		return os.Symlink(from, to)
	}
	info, err := e.Info()
	if err != nil {
		return err
	}
	if p.files, p.bytes = p.files-1, p.bytes-info.Size(); p.files < 0 || p.bytes < 0 {
		return errTooLarge
	}
	if err := copyFile(from, to); err != nil {
		return err
	}
	return os.Chmod(to, info.Mode().Perm())
}

package gotool

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"
)

// TempDir makes a private temporary directory; remove deletes it, whatever
// permissions were set inside, and is safe to call twice. Should the process
// be killed before, RemoveLeftovers deletes it later.
func TempDir() (dir string, remove func() error, err error) {
	dir, _, err = tempDirIn("")
	if err != nil {
		return "", nil, err
	}
	dir, release := claim(dir)
	return dir, sync.OnceValue(func() error { defer release(); return removeAll(dir) }), nil
}

// tempDirIn makes the directory in parent; "" is the system's place for it.
func tempDirIn(parent string) (dir string, remove func() error, err error) {
	dir, err = os.MkdirTemp(parent, thisProcess.tempPrefix())
	if err != nil {
		return "", nil, fmt.Errorf("make temporary directory: %w", err)
	}
	return dir, sync.OnceValue(func() error { return removeAll(dir) }), nil
}

// removeAll deletes a tree in which a program may have made directories that
// cannot be read or written, or lie deeper than os.RemoveAll can follow.
func removeAll(dir string) error {
	if os.RemoveAll(dir) == nil {
		return nil
	}
	problem := flatten(dir)
	if err := os.RemoveAll(dir); err != nil {
		return fmt.Errorf("remove temporary directory %s: %w", dir, errors.Join(err, problem))
	}
	return nil
}

// deepest is how deep below the top directories may stay: os.RemoveAll has an
// open file for each level, and a path of so many names is never too long.
const deepest = 8

// flatten makes all directories below dir readable and writable, and moves up
// those that are too deep. It follows no symbolic link.
func flatten(dir string) error {
	info, err := os.Lstat(dir)
	if err != nil || !info.IsDir() {
		return err
	}
	if err := unlock(dir, info); err != nil {
		return err
	}
	type level struct {
		dir   string
		depth int
	}
	moved := 0
	var problems error
	for todo := []level{{dir, 0}}; len(todo) > 0; {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		problems = errors.Join(problems, eachDir(at.dir, func(info fs.FileInfo) error {
			sub := level{filepath.Join(at.dir, info.Name()), at.depth + 1}
			if err := unlock(sub.dir, info); err != nil {
				return err
			}
			if sub.depth > deepest {
				moved++
				up := filepath.Join(dir, fmt.Sprintf("%smoved-%d", thisProcess.tempPrefix(), moved))
				if err := os.Rename(sub.dir, up); err != nil {
					return err
				}
				sub = level{up, 1}
			}
			todo = append(todo, sub)
			return nil
		}))
	}
	return problems
}

// unlock makes a directory readable and writable.
func unlock(dir string, info fs.FileInfo) error {
	if info.Mode().Perm()&0o700 == 0o700 {
		return nil
	}
	return os.Chmod(dir, 0o700)
}

// eachDir calls do for each directory in a directory, as long as it can.
func eachDir(dir string, do func(fs.FileInfo) error) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer f.Close()
	for {
		entries, err := f.ReadDir(256) // not all at once: there may be millions
		for _, e := range entries {
			if !e.IsDir() {
				continue
			}
			info, err := e.Info()
			if err == nil {
				err = do(info)
			}
			if err != nil {
				return err
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
	}
}

// TempEnv makes a go command that others start put its temporary files into
// dir: one that is killed leaves them behind.
func TempEnv(dir string) []string { return append(tempEnv(dir), "GOTMPDIR="+dir) }

// tempEnv makes a program put its temporary files into dir.
func tempEnv(dir string) []string {
	if runtime.GOOS == "windows" {
		return []string{"TMP=" + dir, "TEMP=" + dir}
	}
	return []string{"TMPDIR=" + dir}
}

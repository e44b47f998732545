package gotool

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"
)

// TempDir makes a private temporary directory; remove deletes it, whatever
// permissions were set inside, and is safe to call twice.
func TempDir() (dir string, remove func() error, err error) { return tempDirIn("") }

// tempDirIn makes the directory in parent; "" is the system's place for it.
func tempDirIn(parent string) (dir string, remove func() error, err error) {
	dir, err = os.MkdirTemp(parent, "mendel-")
	if err != nil {
		return "", nil, fmt.Errorf("make temporary directory: %w", err)
	}
	return dir, sync.OnceValue(func() error { return removeAll(dir) }), nil
}

// removeAll deletes a tree in which a program may have made directories that
// cannot be read or written.
func removeAll(dir string) error {
	if os.RemoveAll(dir) == nil {
		return nil
	}
	chmodErr := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		// A directory is visited before it is read, and once more if that failed.
		if d != nil && d.IsDir() && err == nil {
			return os.Chmod(path, 0o700)
		}
		return nil
	})
	if err := os.RemoveAll(dir); err != nil {
		return fmt.Errorf("remove temporary directory %s: %w", dir, errors.Join(err, chmodErr))
	}
	return nil
}

// tempEnv makes a program put its temporary files into dir.
func tempEnv(dir string) []string {
	if runtime.GOOS == "windows" {
		return []string{"TMP=" + dir, "TEMP=" + dir}
	}
	return []string{"TMPDIR=" + dir}
}

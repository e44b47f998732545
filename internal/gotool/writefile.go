package gotool

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// WriteFile writes a file that a user keeps: whoever looks sees the old file
// or the whole new one, whatever happens meanwhile. An existing file keeps its
// permissions, and a symbolic link goes on pointing at the file it names. The
// directory must exist and be writable.
func WriteFile(name string, data []byte) error {
	if err := replaceFile(name, data); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return nil
}

func replaceFile(name string, data []byte) error {
	info, err := os.Stat(name)
	switch {
	case err == nil && !info.Mode().IsRegular():
		return errors.New("it exists and is not a regular file")
	case err == nil:
		if name, err = filepath.EvalSymlinks(name); err != nil {
			return err
		}
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	// Unlike os.CreateTemp, leave the permissions to the user's umask.
	temp := filepath.Join(filepath.Dir(name), "."+filepath.Base(name)+"."+rand.Text()+".tmp")
	f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil && info != nil {
		err = f.Chmod(info.Mode().Perm())
	}
	if err == nil {
		err = f.Sync()
	}
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Rename(temp, name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(temp))
	}
	return nil
}

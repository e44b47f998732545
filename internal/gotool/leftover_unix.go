//go:build unix

package gotool

import (
	"crypto/rand"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// claim locks a temporary directory and gives it the name by which
// RemoveLeftovers knows it. In this order: one with the name and without the
// lock has no owner any more. Where that does not work, as on some network
// file systems, the directory keeps its name, and release does nothing.
func claim(dir string) (name string, release func()) {
	release, ok := lockDir(dir)
	if !ok {
		return dir, func() {}
	}
	name = filepath.Join(filepath.Dir(dir), thisProcess.tempPrefix()+rand.Text())
	if os.Rename(dir, name) != nil {
		release()
		return dir, func() {}
	}
	return name, release
}

// lockDir locks one of the user's own directories unless another process has
// it locked. The lock ends with the process, however that ends.
func lockDir(dir string) (release func(), ok bool) {
	fd, err := unix.Open(dir, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, false
	}
	release = func() { _ = unix.Close(fd) }
	var info unix.Stat_t
	if unix.Fstat(fd, &info) != nil || int(info.Uid) != os.Geteuid() || unix.Flock(fd, unix.LOCK_EX|unix.LOCK_NB) != nil {
		release()
		return nil, false
	}
	return release, true
}

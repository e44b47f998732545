package gotool

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
)

// claimedName is that of a temporary directory which is claimed: locked by the
// process that made it for as long as that lives. Nothing else is called so.
var claimedName = regexp.MustCompile(`^mendel-[0-9a-f]{8}-[A-Z2-7]{26}$`)

// RemoveLeftovers removes the temporary directories of processes that ended
// before they could do it themselves, and without a guard that could, as in a
// power failure, and returns how many those were. It knows them by their name
// and by nobody holding their lock; where that cannot be told, as on Windows,
// they stay. What cannot be removed is an error, after which everything else was.
func RemoveLeftovers() (n int, err error) {
	all, err := os.ReadDir(os.TempDir())
	if err != nil {
		return 0, err
	}
	for _, e := range all {
		if !e.IsDir() || !claimedName.MatchString(e.Name()) {
			continue
		}
		dir := filepath.Join(os.TempDir(), e.Name())
		release, free := lockDir(dir)
		if !free {
			continue
		}
		if removeErr := removeAll(dir); removeErr != nil {
			err = errors.Join(err, removeErr)
		} else {
			n++
		}
		release()
	}
	return n, err
}

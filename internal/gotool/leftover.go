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
// before they or a guard could do it, as in a power failure, and returns how many
// it removed. It knows them by their name and by a lock that nobody holds. Where
// locks cannot be tested, as on Windows, the directories stay. If one cannot be
// removed, the others still are, and the error comes last.
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

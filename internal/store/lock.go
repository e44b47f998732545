package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// LockName is the file of the lock in an output directory. It stays there; only the
// operating system's lock on it counts.
const LockName = "mendel.lock"

// lockWait is how long Acquire waits for a lock that is taken: a reader may
// only be checking whether it is.
const lockWait = 300 * time.Millisecond

// A Lock is the right to write in an output directory. It ends with Release,
// with the process, and when nothing refers to the Lock any more.
type Lock struct{ file *flock.Flock }

// A Holder is the process that holds, or held, a lock.
type Holder struct {
	PID   int
	Since time.Time // zero: unknown
}

// A HeldError says that another process works in the directory.
type HeldError struct {
	Dir    string
	Holder Holder // PID 0: unknown
}

func (e *HeldError) Error() string {
	who := "another process"
	if e.Holder.PID > 0 {
		who = fmt.Sprintf("process %d", e.Holder.PID)
	}
	if !e.Holder.Since.IsZero() {
		who += ", since " + e.Holder.Since.Local().Format(time.DateTime)
	}
	return fmt.Sprintf("%s is in use by a repair (%s): wait for its end, stop it, or choose another directory with --out", e.Dir, who)
}

// Acquire takes the lock of a directory. When another process holds it the
// error is a *HeldError.
func Acquire(dir string) (*Lock, error) {
	ctx, cancel := context.WithTimeout(context.Background(), lockWait)
	defer cancel()
	return acquire(ctx, dir)
}

// acquire tries once, and then until ctx ends: on a busy machine that may be so at once.
func acquire(ctx context.Context, dir string) (*Lock, error) {
	name := filepath.Join(dir, LockName)
	file := flock.New(name, flock.SetFlag(os.O_CREATE|os.O_RDWR))
	ok, err := file.TryLock()
	if !ok && err == nil {
		ok, err = file.TryLockContext(ctx, lockWait/10)
	}
	switch {
	case err != nil && !errors.Is(err, context.DeadlineExceeded):
		return nil, errors.Join(fmt.Errorf("lock %s: %w; choose another directory with --out", name, err), file.Close())
	case !ok:
		held := &HeldError{Dir: dir}
		held.Holder, _ = readHolder(name)
		return nil, errors.Join(held, file.Close())
	}
	// For people alone: on Windows nobody may write to a locked file.
	text := fmt.Sprintf("%d %s\n", os.Getpid(), time.Now().UTC().Format(time.RFC3339))
	_ = os.WriteFile(name, []byte(text), 0o666)
	return &Lock{file}, nil
}

// Release gives the lock back. It may be called on nil, and twice.
func (l *Lock) Release() error {
	if l == nil {
		return nil
	}
	if err := l.file.Close(); err != nil {
		return fmt.Errorf("release the lock of the output directory: %w", err)
	}
	return nil
}

// Held reports whether a process holds the lock of a directory, and which one
// held it last.
func Held(dir string) (h Holder, held bool, err error) {
	name := filepath.Join(dir, LockName)
	if _, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) {
		return Holder{}, false, nil
	}
	file := flock.New(name, flock.SetFlag(os.O_RDONLY))
	free, err := file.TryRLock()
	if err != nil {
		return Holder{}, false, errors.Join(fmt.Errorf("look at the lock %s: %w", name, err), file.Close())
	}
	if err := file.Close(); err != nil {
		return Holder{}, false, fmt.Errorf("look at the lock %s: %w", name, err)
	}
	h, _ = readHolder(name)
	return h, !free, nil
}

// readHolder reads the holder from a lock file.
func readHolder(name string) (Holder, bool) {
	text, err := os.ReadFile(name)
	if err != nil {
		return Holder{}, false
	}
	var h Holder
	var since string
	if _, err := fmt.Sscan(string(text), &h.PID, &since); err != nil || h.PID <= 0 {
		return Holder{}, false
	}
	if h.Since, err = time.Parse(time.RFC3339, since); err != nil {
		h.Since = time.Time{}
	}
	return h, true
}

package gotool

import (
	"context"
	"errors"
	"syscall"
	"time"
)

// A transientError says that a command was killed by somebody else, or that the
// machine was short of disk space, memory or processes. It says nothing about
// the program.
type transientError struct{ text string }

func (e *transientError) Error() string { return e.text }

// transientPause is how long to wait before the second try: a mutant that fills
// the disk or the process table is ended within that time. Guessed.
const transientPause = time.Second

// retryTransient calls do and, after a transient error, calls it once more a
// moment later.
func retryTransient(ctx context.Context, do func() error) error {
	err := do()
	if !isTransient(err) {
		return err
	}
	pause := time.NewTimer(transientPause)
	defer pause.Stop()
	select {
	case <-pause.C:
	case <-ctx.Done():
	}
	if ctx.Err() != nil { // of two cases that are ready select may take either
		return err
	}
	return do()
}

// RetryTransient is for callers that ask the go command by other means than
// this package's. It calls do and, if do reports that the machine was short of
// something, calls it once more a moment later.
func RetryTransient(ctx context.Context, do func() (short bool)) {
	_ = retryTransient(ctx, func() error { // do keeps its own
		if do() {
			return &transientError{}
		}
		return nil
	})
}

func isTransient(err error) bool {
	var e *transientError
	return errors.As(err, &e) || errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EAGAIN) || errors.Is(err, syscall.ENOMEM)
}

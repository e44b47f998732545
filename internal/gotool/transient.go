package gotool

import (
	"context"
	"errors"
	"syscall"
	"time"
)

// A shortage is what the machine, or somebody on it, has done to a command: it
// was killed, or there was no disk space, memory or process for it. It says
// nothing about the program.
type shortage struct{ text string }

func (s *shortage) Error() string { return s.text }

// shortagePause is how long a shortage is given to pass: a mutant that fills the
// disk or the process table is ended within that. Guessed.
const shortagePause = time.Second

// despiteShortage does something and, if the machine was short of something,
// does it once more a moment later.
func despiteShortage(ctx context.Context, do func() error) error {
	err := do()
	if !isShortage(err) {
		return err
	}
	pause := time.NewTimer(shortagePause)
	defer pause.Stop()
	select {
	case <-pause.C:
		return do()
	case <-ctx.Done():
		return err
	}
}

// DespiteShortage does something that asks the go command by other means than
// this package's and, if it says that the machine was short of something, does
// it once more a moment later.
func DespiteShortage(ctx context.Context, do func() (short bool)) {
	_ = despiteShortage(ctx, func() error { // do keeps its own
		if do() {
			return &shortage{}
		}
		return nil
	})
}

func isShortage(err error) bool {
	var s *shortage
	return errors.As(err, &s) || errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EAGAIN) || errors.Is(err, syscall.ENOMEM)
}

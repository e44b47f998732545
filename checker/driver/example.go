package driver

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"mendel/checker/sched"
)

// Example is the test of an example: what it prints must be what its comment says, in any
// order of lines if that does. Its frames are the driver's: it is not inlined.
//
//go:noinline
func Example(f func(), want string, unordered bool) func(*testing.T) {
	return func(t *testing.T) {
		got, err := printed(f)
		if err != nil {
			sched.GiveUp(err.Error())
			return
		}
		if got, want := lines(got, unordered), lines(want, unordered); got != want {
			Of(t).tb.test.failBare(fmt.Sprintf("it prints %q, not %q", shorten(got), shorten(want)))
		}
	}
}

// lines is an output as it is compared.
func lines(output string, unordered bool) string {
	output = strings.TrimSpace(output)
	if unordered {
		output = strings.Join(slices.Sorted(strings.SplitSeq(output, "\n")), "\n")
	}
	return output
}

// stdout is what examples print to, and what it stands for; made when it is needed.
var stdout struct{ file, real *os.File }

// printed calls a function and returns what was printed meanwhile.
func printed(f func()) (string, error) {
	if stdout.file == nil {
		file, err := os.CreateTemp("", "mendel-example-")
		if err != nil {
			return "", fmt.Errorf("keep what an example prints: %w", err)
		}
		os.Remove(file.Name()) // where that is possible; the file is there while it is open
		stdout.file = file
	}
	if os.Stdout != stdout.file { // else an example before never ended
		stdout.real = os.Stdout
	}
	if err := empty(stdout.file); err != nil {
		return "", err
	}
	os.Stdout = stdout.file
	func() {
		defer func() { os.Stdout = stdout.real }()
		f()
	}()
	size, err := stdout.file.Seek(0, 1)
	if err != nil {
		return "", fmt.Errorf("ask what an example has printed: %w", err)
	}
	text := make([]byte, size)
	if _, err := stdout.file.ReadAt(text, 0); err != nil && size > 0 {
		return "", fmt.Errorf("read what an example has printed: %w", err)
	}
	return string(text), nil
}

// empty makes a file an empty one.
func empty(f *os.File) error {
	if err := f.Truncate(0); err != nil {
		return fmt.Errorf("forget what an example has printed: %w", err)
	}
	if _, err := f.Seek(0, 0); err != nil {
		return fmt.Errorf("forget what an example has printed: %w", err)
	}
	return nil
}

package effects

import (
	"fmt"
	"os"
	"testing"

	"mendel/internal/lean"
)

// buildCache is a build cache besides the user's, which holds no table when a test begins:
// the tests share what the go command compiles of the library to read it.
var buildCache string

func TestMain(m *testing.M) {
	lean.Children()
	var err error
	if buildCache, err = os.MkdirTemp("", "effects-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	os.RemoveAll(buildCache)
	os.Exit(code)
}

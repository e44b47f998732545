package original

import (
	"os"
	"testing"

	"mendel/internal/lean"
)

func TestMain(m *testing.M) {
	lean.Children()
	os.Exit(m.Run())
}

package sched

import (
	"os"
	"runtime"
	"testing"
)

// TestMain gives tests one processor, as the driver does: with more, a part of the time of
// hundreds of thousands of executions goes into waking them for nothing.
func TestMain(m *testing.M) {
	runtime.GOMAXPROCS(1)
	os.Exit(m.Run())
}

package logsweep

import (
	"testing"

	"example.com/maple/internal/work"
)

func TestSweep(t *testing.T) {
	var l Log
	l.Append("entry")
	work.Both(func() { l.Process() }, l.Sweep)
}

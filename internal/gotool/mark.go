package gotool

import (
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"math/bits"
)

// A mark tells the processes of one run from all others. Its upper half is the
// same for all runs of this process, so that a guard finds the rest of all of
// them.
type mark uint64

// Marks are values of a resource limit that can only be lowered (see mark.set),
// large enough to limit nothing. A program under test may run programs in the
// same way. Its marks must be less than its own, so the highest bit is the depth
// of nesting.
const (
	markTop     = 62
	markLeast   = 1 << 56
	markProcess = 1<<24 - 1 // the bits that differ from process to process, above
	markRun     = 1<<32 - 1 // those that differ from run to run
)

// thisProcess is the upper half of all marks that this process gives.
var thisProcess = processMark(ownMark())

// processMark draws the upper half of marks below the mark that a process has
// itself; 0: none.
func processMark(own mark) mark {
	top := markTop
	if own != 0 {
		top = max(bits.Len64(uint64(own))-2, 56)
	}
	return 1<<top | mark(random()&markProcess)<<32
}

func newMark() mark { return thisProcess | mark(random()) }

func random() uint32 {
	var b [4]byte
	_, _ = rand.Read(b[:]) // never fails
	return binary.NativeEndian.Uint32(b[:])
}

// process is what marks of one process have in common.
func (m mark) process() mark { return m &^ markRun }

// variable is the name of an environment variable that only the run's
// processes have.
func (m mark) variable() string { return m.variables() + fmt.Sprintf("%08x", uint32(m)) }

// variables is how the names begin for all runs of the process.
func (m mark) variables() string { return fmt.Sprintf("MENDEL_RUN_%08x_", uint32(m>>32)) }

// tempPrefix is how the names of temporary directories of the process begin.
func (m mark) tempPrefix() string { return fmt.Sprintf("mendel-%08x-", uint32(m>>32)) }

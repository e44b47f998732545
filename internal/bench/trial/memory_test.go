package trial

import (
	"testing"
)

func TestPeakMemory(t *testing.T) {
	ResetPeakMemory()
	before := PeakMemory()
	block := make([]byte, 64<<20)
	for i := 0; i < len(block); i += 4096 {
		block[i] = 1
	}
	if after := PeakMemory(); before == 0 || after < before+60<<20 {
		t.Errorf("peak %d before and %d after touching 64 MiB (%d)", before, after, block[0])
	}
}

package report

import (
	"testing"

	"mendel/analysis/evidence"
)

// Each kind of failure is drawn in some way of its own.
func TestDrawings(t *testing.T) {
	for _, row := range evidence.Kinds {
		d, ok := drawings[row.Kind]
		if !ok || !d.conflict && !d.stuck && !d.unwinds && d.lead == "" {
			t.Errorf("nothing says how a %s is drawn", row.Words)
		}
	}
	if len(drawings) != len(evidence.Kinds) {
		t.Errorf("%d drawings for %d kinds", len(drawings), len(evidence.Kinds))
	}
}

package original

import (
	"slices"
	"testing"

	"mendel/analysis/evidence"
)

func TestMinorExplains(t *testing.T) {
	m := minor{
		failures:  []evidence.Failure{{Kind: evidence.Deadlock, Test: "TestGate"}, {Kind: evidence.TestFailure, Test: "TestOpen/late"}},
		keys:      map[any]bool{"test TestGate": true, "test TestOpen": true, "Pass": true, "both": true},
		elsewhere: map[any]bool{"test TestCount": true, "Count": true, "both": true},
	}
	for name, c := range map[string]struct {
		f      evidence.Failure
		places []any
		want   bool
	}{
		"as before":                   {evidence.Failure{Kind: evidence.Deadlock, Test: "TestGate"}, nil, true},
		"another wait":                {evidence.Failure{Kind: evidence.Timeout, Test: "TestGate/a"}, nil, true},
		"another kind":                {evidence.Failure{Kind: evidence.Panic, Test: "TestGate"}, []any{"Pass"}, false},
		"the same code":               {evidence.Failure{Kind: evidence.Blocked, Test: "TestLeave"}, []any{"Pass"}, true},
		"code of both":                {evidence.Failure{Kind: evidence.Blocked, Test: "TestLeave"}, []any{"both"}, false},
		"other code":                  {evidence.Failure{Kind: evidence.Blocked, Test: "TestLeave"}, []any{"Leave"}, false},
		"a test of the main cause":    {evidence.Failure{Kind: evidence.Deadlock, Test: "TestCount"}, []any{"Pass"}, false},
		"it is not known which fails": {evidence.Failure{Kind: evidence.Deadlock}, []any{"Pass"}, false},
	} {
		if got := m.explains(c.f, c.places); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
	ways := m.ways(evidence.Failure{Kind: evidence.TestFailure, Test: "TestGate/a"})
	want := []evidence.Apart{
		{Test: "TestGate", Kind: evidence.Deadlock, Skip: true}, {Test: "TestOpen", Kind: evidence.TestFailure},
		{Test: "TestGate", Kind: evidence.TestFailure, Skip: true},
	}
	if !slices.Equal(ways, want) {
		t.Errorf("ways %v, want %v", ways, want)
	}
	if skipped := evidence.Skipped(ways); !slices.Equal(skipped, []string{"TestGate"}) {
		t.Errorf("skipped: %q", skipped)
	}
}

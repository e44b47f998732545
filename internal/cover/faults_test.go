package cover

import (
	"slices"
	"testing"

	"mendel/analysis/evidence"
)

func TestFaultsOfIdioms(t *testing.T) {
	for _, test := range []struct {
		idiom int
		kinds []string
		want  evidence.Fault // among the names; "" for none at all
	}{
		{1, []string{"write", "read"}, ""},
		{1, []string{"close", "send"}, evidence.CloseDuringSend},
		{1, []string{"send", "close"}, ""},
		{1, []string{"signal", "cond wait"}, evidence.MissedSignal},
		{1, []string{"wait", "add"}, evidence.WaitNotForAll},
		{3, []string{"read", "write", "write", "write"}, evidence.LostUpdate},
		{4, []string{"write", "read", "read", "write"}, evidence.InconsistentRead},
		{5, []string{"lock", "lock", "lock", "lock"}, evidence.LockOrderInversion},
		{5, []string{"write", "read", "write", "read"}, evidence.AtomicityViolation},
		{0, nil, ""},
	} {
		f := &File{Idiom: test.idiom}
		for _, k := range test.kinds {
			f.Ends = append(f.Ends, end{Kind: k})
		}
		if got := f.Faults(); test.want == "" && len(got) > 0 || test.want != "" && !slices.Contains(got, test.want) {
			t.Errorf("idiom %d of %q: %q, want %q", test.idiom, test.kinds, got, test.want)
		}
	}
}

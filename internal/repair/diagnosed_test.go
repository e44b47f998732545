package repair

import "testing"

// It is said once that what was diagnosed did not hold, and only if something was tried.
func TestGoesBeyond(t *testing.T) {
	d := &diagnosed{}
	var said []string
	for _, mends := range []bool{true, true, false, true, false} {
		if d.goesBeyond(mends) {
			said = append(said, d.tried())
		}
	}
	if len(said) != 1 || said[0] != "2 diagnosed repairs tried, none held" {
		t.Errorf("%q", said)
	}
	if (&diagnosed{}).goesBeyond(false) || (*diagnosed)(nil).goesBeyond(false) {
		t.Error("nothing was diagnosed")
	}
	if got := grouped(1640) + " " + grouped(999) + " " + grouped(1234567); got != "1,640 999 1,234,567" {
		t.Error(got)
	}
}

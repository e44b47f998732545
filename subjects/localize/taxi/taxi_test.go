package taxi

import "testing"

func TestRun(t *testing.T) {
	d := NewDispatcher(2, 3)
	customers := d.waiting
	if got := d.Run(); got != 3 {
		t.Errorf("%d customers were served, want 3", got)
	}
	for _, c := range customers {
		if !c.driven {
			t.Errorf("the customer at %d was not driven", c.at)
		}
	}
}

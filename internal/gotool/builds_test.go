package gotool

import (
	"testing"
	"testing/synctest"
	"time"
)

// Builds side by side take the time of one.
func TestBuildMeter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &BuildMeter{}
		end, other := m.Begin(), m.Begin()
		time.Sleep(time.Second)
		end()
		if first := m.Builds().Time; first != time.Second {
			t.Errorf("%v while one goes on, want 1s", first)
		}
		time.Sleep(time.Second)
		other()
		m.Add(3, 1)
		m.Add(0, 1)
		done := m.Builds()
		time.Sleep(time.Second)
		if again := m.Builds(); again != done || done.Time != 2*time.Second || done.Programs != 3 || done.Executables != 2 {
			t.Errorf("%+v, then %+v", done, again)
		}
	})
}

package gotool

import (
	"reflect"
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
		m.Built(3)
		m.Linked("noise, alone")
		m.Linked("checker, alone")
		done := m.Builds()
		time.Sleep(time.Second)
		if again := m.Builds(); !reflect.DeepEqual(again, done) || done.Time != 2*time.Second || done.Programs != 3 || done.Executables != 2 {
			t.Errorf("%+v, then %+v", done, again)
		}
	})
}

// So do builds of several who have a sum; its counts are those of all.
func TestBuildMeterSum(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sum := &BuildMeter{}
		checker, noise := &BuildMeter{Sum: sum}, &BuildMeter{Sum: sum}
		first := checker.Begin()
		time.Sleep(time.Second)
		second := noise.Begin()
		time.Sleep(time.Second)
		first()
		time.Sleep(time.Second)
		second()
		time.Sleep(time.Second)
		checker.Linked("checker, variants")
		checker.Variants(4)
		checker.Alone("another type")
		noise.Linked("noise, alone")
		noise.Built(1)
		want := Builds{
			Programs: 5, Executables: 2, Variants: 4, Time: 3 * time.Second,
			By: map[string]int{"checker, variants": 1, "noise, alone": 1}, Alone: map[string]int{"another type": 1},
		}
		if got := sum.Builds(); !reflect.DeepEqual(got, want) {
			t.Errorf("%+v, want %+v", got, want)
		}
		if got := checker.Builds(); got.Time != 2*time.Second || got.Programs != 4 || got.Executables != 1 {
			t.Errorf("the checker's: %+v", got)
		}
		if got := sum.Builds().Plus(noise.Builds()); got.Programs != 6 || got.By["noise, alone"] != 2 || got.Time != 5*time.Second {
			t.Errorf("with noise once more: %+v", got)
		}
	})
}

func TestCounted(t *testing.T) {
	for want, counts := range map[string]map[string]int{
		"": nil,
		"noise, variants 7; checker, alone 2; with -race 2": {"with -race": 2, "noise, variants": 7, "checker, alone": 2},
	} {
		if got := Counted(counts); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// What is not measured costs nothing.
func TestNoBuildMeter(t *testing.T) {
	var m *BuildMeter
	m.Begin()()
	m.Linked("noise, alone")
	m.Built(1)
}

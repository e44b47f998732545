package importer

import (
	"fmt"
	"sync"
	"testing"
)

// Many files are refused, at their first line and at their last, and all others
// are there when Import returns, also when two imports go on at once. It fails if
// some way out of read is not counted, or one is counted twice.
func TestWiderRefused(t *testing.T) {
	im := New()
	im.Import(nil)
	files := map[string]string{"empty": "", "blank": "\n", "late": "lamp;1\nchair;2\ntable", "early": "table\nlamp;1\n"}
	for i := range 10 {
		files[fmt.Sprintf("good %d", i)] = "lamp;1\nchair;2\n"
		files[fmt.Sprintf("bad %d", i)] = "lamp;many\n"
	}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { im.Import(files) })
	}
	wg.Wait()
	if lamps, chairs := im.Stock("lamp"), im.Stock("chair"); lamps != 20 || chairs != 40 {
		t.Errorf("%d lamps and %d chairs, want 20 and 40", lamps, chairs)
	}
	if got, want := len(im.Errs()), 2*(10+3); got != want {
		t.Errorf("%d files are refused, want %d: %v", got, want, im.Errs())
	}
}

// Refused files alone: everybody returns early.
func TestWiderAllRefused(t *testing.T) {
	im := New()
	im.Import(map[string]string{"a": "x", "b": ";1", "c": "lamp;1\ny"})
	if len(im.Errs()) != 3 || im.Stock("lamp") != 0 {
		t.Errorf("refused are %v, %d lamps", im.Errs(), im.Stock("lamp"))
	}
}

package interleave

import (
	"encoding/binary"
	"fmt"
	"os"

	"mendel/interleave/hook"
)

// A Trace is what the hooks recorded of one run.
type Trace struct {
	Events  []hook.Event
	Lost    int  // events that did not fit
	Exposed bool // what was to be forced came about
	GaveUp  int  // attempts to force it that were given up
	Held    int  // times that a goroutine was held
}

// MakeLog makes an empty file for the log of a run.
func MakeLog(name string) error {
	f, err := os.Create(name)
	if err != nil {
		return fmt.Errorf("make the log of a run: %w", err)
	}
	if err := f.Truncate(int64(hook.LogSize)); err != nil {
		f.Close()
		return fmt.Errorf("make the log of a run: %w", err)
	}
	if err := f.Close(); err != nil {
		return fmt.Errorf("make the log of a run: %w", err)
	}
	return nil
}

// ReadLog reads the log of a run that has ended, however it ended.
func ReadLog(name string) (Trace, error) {
	f, err := os.Open(name)
	if err != nil {
		return Trace{}, fmt.Errorf("read the log of a run: %w", err)
	}
	defer f.Close()
	var h hook.Header
	if err := binary.Read(f, binary.NativeEndian, &h); err != nil {
		return Trace{}, fmt.Errorf("read the log of a run: %w", err)
	}
	n := min(h.Next, uint64(hook.Capacity))
	events := make([]hook.Event, n)
	if err := binary.Read(f, binary.NativeEndian, events); err != nil {
		return Trace{}, fmt.Errorf("read the log of a run: %w", err)
	}
	t := Trace{Events: events[:0], Lost: int(h.Next - n), Exposed: h.Exposed == 1, GaveUp: int(h.GaveUp), Held: int(h.Held)}
	for _, e := range events {
		if e.Kind != hook.None && e.Kind < hook.Kinds { // else the process was killed while it wrote the event
			t.Events = append(t.Events, e)
		}
	}
	return t, nil
}

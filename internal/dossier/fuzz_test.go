package dossier

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// What is read can be indexed as it says, and written and read again.
func FuzzParse(f *testing.F) {
	d := example()
	d.Version = Version
	seed, err := json.Marshal(d)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(seed)
	f.Add([]byte(`{"version":1,"failures":[{"trace":{"goroutines":["main"],"rows":[{"g":0,"starts":-1}],"conflict":[0,-2]}}]}`))
	f.Add([]byte(`{"version":1,"fixes":[{"replays":[null,{"goroutines":[],"rows":[],"bars":[{"g":0,"from":0,"to":-1}]}]}]}`))
	f.Add([]byte("{"))
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := Parse(data)
		if err != nil {
			return
		}
		for _, trace := range d.traces() {
			for _, r := range trace.Rows {
				_, _ = trace.Goroutines[r.G], trace.Goroutines[r.Starts]
			}
			for _, b := range trace.Bars {
				_, _ = trace.Goroutines[b.G], trace.Rows[b.From:]
				if b.To >= 0 {
					_ = trace.Rows[b.From : b.To+1]
				}
			}
			for _, at := range trace.Conflict {
				if at >= 0 {
					_ = trace.Rows[at]
				}
			}
			if n := len(trace.IDs); n != 0 && n != len(trace.Goroutines) {
				t.Errorf("%d IDs of %d goroutines", n, len(trace.Goroutines))
			}
		}
		again, err := json.Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		read, err := Parse(again)
		if err != nil {
			t.Fatalf("written and read again: %v", err)
		}
		if diff := cmp.Diff(d, read, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("written and read again: -want +got:\n%s", diff)
		}
	})
}

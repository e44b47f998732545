package result

import (
	"bytes"
	"encoding/json"
	"io"
	"testing"
)

// FuzzResult reads results as a repair that goes on does. What can be read is
// written and read again without loss, and can be put into words.
func FuzzResult(f *testing.F) {
	f.Add([]byte(`{"status":"fixed","failures":[{"kind":"race","signature":"race: x","message":"m","seen":1,"runs":2}],` +
		`"fixes":[{"patch":"fix-1.patch","diff":"--- a/<x>\n","edits":[{"operator":"lock"}],"score":1000}],"seconds":1e300}`))
	f.Add([]byte(`{"status":"not-reproduced","reason":"no failure","rejected":[{}],"phases":[{"name":"load"}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var res Result
		if json.Unmarshal(data, &res) != nil {
			return
		}
		once, err := res.JSON()
		if err != nil {
			t.Fatal(err)
		}
		var again Result
		if err := json.Unmarshal(once, &again); err != nil {
			t.Fatalf("what was written cannot be read: %v\n%s", err, once)
		}
		twice, err := again.JSON()
		if err != nil || !bytes.Equal(once, twice) {
			t.Errorf("written, read and written, error %v:\n%s\n%s", err, once, twice)
		}
		_ = res.Ends()
		if err := res.Print(io.Discard, false); err != nil {
			t.Errorf("cannot be printed: %v", err)
		}
		for _, fix := range res.Fixes {
			if res.Apply(fix) == nil {
				t.Error("a fix of another process is applied without its program")
			}
		}
	})
}

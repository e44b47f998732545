package noise

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"mendel/analysis/evidence"
)

// An outcome comes back from JSON as it was, but for what the run printed.
func TestOutcomeJSON(t *testing.T) {
	want := Outcome{
		Failures: []evidence.Failure{{Kind: evidence.Race, Signature: "s", Message: "m"}},
		Seed:     1<<64 - 1, Elapsed: time.Second, CPU: time.Minute, Switches: 7, Tests: 2, hung: true,
	}
	printed := want
	printed.Output = []byte("a long story")
	data, err := json.Marshal(printed)
	if err != nil {
		t.Fatal(err)
	}
	var got Outcome
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s\ngives %+v\nwant  %+v", data, got, want)
	}
	if err := json.Unmarshal([]byte(`{"Seed": "x"}`), &got); err == nil {
		t.Error("nonsense was read")
	}
}

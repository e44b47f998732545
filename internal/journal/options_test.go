package journal

import (
	"reflect"
	"testing"

	"mendel/internal/pin"
	"mendel/internal/result"
)

// All that a repair was asked for comes back from the store, but for what one
// process alone is asked: to resume, and who observes.
func TestOptions(t *testing.T) {
	want := pin.Fill[result.Wanted]()
	if got := Store(want); got.Resume {
		t.Error("that a process resumes is stored")
	}
	got := Store(want).Wanted()
	got.Resume, want.SearchBudget = true, 0 // each process has one of its own
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v\nwant %+v", got, want)
	}
}

package scenario

import "testing"

// TestOfOne checks which sentences of a type's documentation keep its values to one goroutine.
func TestOfOne(t *testing.T) {
	for _, test := range []struct {
		doc string
		one bool
	}{
		{"An Iterator hands out the items. Its methods are for one goroutine.", true},
		{"A Reader is meant for use by a single goroutine.", true},
		{"A Cursor must not be shared between goroutines.", true},
		{"A Decoder is not safe for concurrent use.", true},
		{"A Rand is not generally safe to use from several goroutines.", true},
		{"Batch is not thread-safe.", true},
		{"A Builder must not be used from multiple goroutines.", true},
		{"A Walk is used by one goroutine at a time.", true},
		{"A Pool is safe for concurrent use.", false},
		{"A Gate waits for one goroutine to pass.", false},
		{"A Queue may be shared between goroutines.", false},
		{"A Cache has a slot for one goroutine each.", false},
	} {
		if got := ofOne.MatchString(test.doc); got != test.one {
			t.Errorf("%q: of one goroutine %t, want %t", test.doc, got, test.one)
		}
	}
}

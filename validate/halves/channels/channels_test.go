package channels_test

import (
	"testing"

	"mendel/validate/halves/channels"
	"mendel/validate/halves/halvestest"
)

// Each patch of each program of testdata leaves what stands beside it.
func TestFinders(t *testing.T) {
	halvestest.Run(t, "testdata", channels.Exits, channels.Senders, channels.Insistent, channels.Rooms, channels.FieldRooms, channels.Drops,
		channels.Breaks, channels.Stranded, channels.CutShort, channels.Drains, channels.AskedBefore, channels.ClosedFor, channels.Heedless,
		channels.Unclosed, channels.OthersEnd)
}

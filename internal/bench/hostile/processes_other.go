//go:build !linux

package hostile

// processes cannot be found here.
func (a *sandbox) processes() map[int]int64 { return nil }

// started cannot be found here.
func (a *sandbox) started() map[int]int64 { return nil }

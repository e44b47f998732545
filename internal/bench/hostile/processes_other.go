//go:build !linux

package hostile

// processes cannot be told here.
func (a *arena) processes() map[int]int64 { return nil }

// imps cannot be told here.
func (a *arena) imps() map[int]int64 { return nil }

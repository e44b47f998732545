package locks

import (
	"encoding/binary"
)

// flags is what is known of flags: of each its position in the source and
// whether it is set, sorted by position. It is text so that holds can be compared.
type flags string

const (
	flagSize = 5 // bytes: the position, and its value
	// maxFlags bounds what is known of flags, so that the holds of a function are few.
	maxFlags = 6 * flagSize
)

// find is where a flag is, or would be, and its value.
func (f flags) find(flag int) (at int, value, known bool) {
	for at < len(f) {
		switch pos := int(binary.BigEndian.Uint32([]byte(f[at : at+4]))); {
		case pos == flag:
			return at, f[at+4] == 1, true
		case pos > flag:
			return at, false, false
		}
		at += flagSize
	}
	return at, false, false
}

// assume adds what a flag is; ok is false where it is known to be the other.
func (f flags) assume(flag int, value bool) (next flags, ok bool) {
	at, was, known := f.find(flag)
	if known || len(f) >= maxFlags {
		return f, !known || was == value
	}
	var b [flagSize]byte
	binary.BigEndian.PutUint32(b[:], uint32(flag))
	if value {
		b[4] = 1
	}
	return f[:at] + flags(b[:]) + f[at:], true
}

// without leaves out the flag at a place.
func (f flags) without(at int) flags { return f[:at] + f[at+flagSize:] }

// includes reports whether all that is known by others is known.
func (f flags) includes(o flags) bool {
	if len(o) == 0 || f == o {
		return true
	}
	for ; len(o) > 0; o = o[flagSize:] {
		for len(f) > 0 && f[:flagSize] != o[:flagSize] {
			f = f[flagSize:]
		}
		if len(f) == 0 {
			return false
		}
	}
	return true
}

// apart is the place of the one flag that has the other value; -1 if there is none, or
// other flags are known.
func (f flags) apart(o flags) int {
	if len(f) != len(o) {
		return -1
	}
	at := -1
	for i := 0; i < len(f); i += flagSize {
		switch {
		case f[i:i+flagSize] == o[i:i+flagSize]:
		case at >= 0 || f[i:i+4] != o[i:i+4]:
			return -1
		default:
			at = i
		}
	}
	return at
}

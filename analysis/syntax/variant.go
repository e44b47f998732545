package syntax

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// VariantName is the name of a function's variant for callers that hold its lock: deliverLocked for Deliver.
func VariantName(name string) string {
	r, size := utf8.DecodeRuneInString(name)
	return string(unicode.ToLower(r)) + name[size:] + "Locked"
}

// VariantKey is the same for a name with its package or receiver in front: "(*example.com/p.T).Deliver".
func VariantKey(key string) string {
	i := strings.LastIndex(key, ".") + 1
	return key[:i] + VariantName(key[i:])
}

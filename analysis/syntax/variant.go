package syntax

import (
	"strings"
	"unicode"
)

// VariantName is the name of a function's variant for callers that hold its lock: deliverLocked for Deliver.
func VariantName(name string) string { return Uncapital(name) + "Locked" }

// VariantKey is the same for a name with its package or receiver in front: "(*example.com/p.T).Deliver".
func VariantKey(key string) string {
	i := strings.LastIndex(key, ".") + 1
	return key[:i] + VariantName(key[i:])
}

// Uncapital makes an exported name one that is not: "Len" to "len", "ID" to
// "id", "URLOf" to "urlOf", "IDs" to "ids".
func Uncapital(name string) string {
	runes := []rune(name)
	n := 0
	for n < len(runes) && unicode.IsUpper(runes[n]) {
		n++
	}
	if n > 1 && n < len(runes) && unicode.IsLower(runes[n]) && string(runes[n:]) != "s" { // the last capital begins the next word
		n--
	}
	return strings.ToLower(string(runes[:n])) + string(runes[n:])
}

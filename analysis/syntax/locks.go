package syntax

import (
	"strings"

	"mendel/analysis"
)

// LockOwner is what a lock, as it is written, is a field of: the value itself
// where the mutex is embedded.
func LockOwner(l analysis.Lock) string {
	owner, field := CutLast(l.Expr)
	if _, name := CutLast(l.Key); field != name {
		return l.Expr
	}
	return owner
}

// CutLast cuts a text at its last dot; without one, all is behind it.
func CutLast(s string) (before, after string) {
	if i := strings.LastIndex(s, "."); i >= 0 {
		return s[:i], s[i+1:]
	}
	return "", s
}

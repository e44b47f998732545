// Package plain is not to be used by several goroutines.
package plain

import "example.com/foreign/inner"

type List struct{ first inner.Entry }

func (l *List) Add(n int) { l.first.Value += n }

func (l *List) Sum() int { return inner.Sum(&l.first) }

// Package receiver says whose method a function is, or stands in.
//
//	func (l *Leases) take(name string) {
//		time.AfterFunc(ttl, func() { l.expire(name) }) // l, of Leases, by take
//	}
package receiver

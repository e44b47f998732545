// Package context replaces the standard library's package of that name in a
// program under test. [Context] is the real interface and [Background] the real
// value, so that contexts can be passed to packages that are not under control.
//
// Cancellation takes the steps of the real package: the error becomes visible,
// the channel is closed, the children follow one by one (in the order in which
// they were made; the real order is random), and other calls on the same
// context that would change it wait meanwhile. Deadlines are of virtual time.
//
// # Contexts of other packages
//
// A parent of another package is watched as in the real package: by its method
// AfterFunc(func()) func() bool if it has one, else by a goroutine. A parent that
// can be cancelled and was made outside control, with a real channel, cannot be
// watched: the execution ends as uncontrolled. If it has been cancelled already, it
// is used as it is.
//
// Conversely a context of this package closes its real channel too, has that
// method and knows the real package's key, so that the real package's WithCancel
// and Cause work with it.
//
// Outside control the real contexts are made.
package context

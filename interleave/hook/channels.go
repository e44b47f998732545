package hook

import "unsafe"

// identify returns a channel's address.
//
//go:norace
func identify[T any](c <-chan T) uint64 { return word(*(*unsafe.Pointer)(unsafe.Pointer(&c))) }

// identifySend returns a channel's address.
//
//go:norace
func identifySend[T any](c chan<- T) uint64 { return word(*(*unsafe.Pointer)(unsafe.Pointer(&c))) }

// A Sending is a channel to which a value is about to be sent.
type Sending[T any] struct {
	site uint32
	c    chan<- T
}

// To begins a send: c <- v becomes To(site, c).V(v).
func To[T any](site uint32, c chan<- T) Sending[T] { return Sending[T]{site, c} }

// V sends.
//
//go:norace
func (s Sending[T]) V(v T) {
	ToSend(s.site, s.c)
	s.c <- v
	completed()
}

// ToSend is the moment before a send.
//
//go:norace
func ToSend[T any](site uint32, c chan<- T) {
	if recorder.on {
		object := identifySend(c)
		arrive(site, object)
		write(Send, site, object, uint64(cap(c)))
	}
}

// Poll is the moment before a receive, or a select that may receive.
//
//go:norace
func Poll[T any](site uint32, c <-chan T) {
	if recorder.on {
		arrive(site, identify(c))
	}
}

// PollSend is the moment before a select that may send.
//
//go:norace
func PollSend[T any](site uint32, c chan<- T) {
	if recorder.on {
		arrive(site, identifySend(c))
	}
}

// Selected is the moment after a select has sent. The receive may have been
// recorded before it.
//
//go:norace
func Selected[T any](site uint32, c chan<- T) {
	if recorder.on {
		record(Send, site, identifySend(c), uint64(cap(c)))
	}
}

// Received is the moment after a receive.
//
//go:norace
func Received[T any](site uint32, c <-chan T, ok bool) {
	if recorder.on {
		k := Receive
		if !ok {
			k = ReceiveClosed
		}
		record(k, site, identify(c), uint64(cap(c)))
	}
}

// From is a receive: <-c becomes From(site, c).
//
//go:norace
func From[T any](site uint32, c <-chan T) T {
	Poll(site, c)
	v, ok := <-c
	Received(site, c, ok)
	return v
}

// From2 is a receive that tells whether the channel is closed.
//
//go:norace
func From2[T any](site uint32, c <-chan T) (T, bool) {
	Poll(site, c)
	v, ok := <-c
	Received(site, c, ok)
	return v, ok
}

// CloseOf closes a channel.
//
//go:norace
func CloseOf[T any](site uint32, c chan<- T) {
	touch(Close, site, identifySend(c))
	close(c)
	completed()
}

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

// poll is the moment before a receive.
//
//go:norace
func poll[T any](site uint32, c <-chan T) {
	if recorder.on {
		arrive(site, identify(c))
	}
}

// A Case is one of a select, whose channel is known when it was evaluated.
type Case struct {
	site     uint32
	object   uint64
	capacity uint64
}

// OfCase is a case.
//
//go:norace
func OfCase(site uint32) Case { return Case{site: site} }

// Poll is the moment before a select that may receive.
//
//go:norace
func Poll[T any](k *Case, c <-chan T) <-chan T {
	if recorder.on {
		k.object, k.capacity = identify(c), uint64(cap(c))
		arrive(k.site, k.object)
	}
	return c
}

// PollSend is the moment before a select that may send.
//
//go:norace
func PollSend[T any](k *Case, c chan<- T) chan<- T {
	if recorder.on {
		k.object, k.capacity = identifySend(c), uint64(cap(c))
		arrive(k.site, k.object)
	}
	return c
}

// Selected is the moment after a select has sent. The receive may have been
// recorded before it.
//
//go:norace
func (k *Case) Selected() {
	if recorder.on {
		record(Send, k.site, k.object, k.capacity)
	}
}

// Received is the moment after a select has received.
//
//go:norace
func (k *Case) Received(ok bool) {
	if recorder.on {
		receives(k.site, k.object, k.capacity, ok)
	}
}

//go:norace
func receives(site uint32, object, capacity uint64, ok bool) {
	k := Receive
	if !ok {
		k = ReceiveClosed
	}
	record(k, site, object, capacity)
}

// received is the moment after a receive.
//
//go:norace
func received[T any](site uint32, c <-chan T, ok bool) {
	if recorder.on {
		receives(site, identify(c), uint64(cap(c)), ok)
	}
}

// From is a receive: <-c becomes From(site, c).
//
//go:norace
func From[T any](site uint32, c <-chan T) T {
	poll(site, c)
	v, ok := <-c
	received(site, c, ok)
	return v
}

// From2 is a receive that tells whether the channel is closed.
//
//go:norace
func From2[T any](site uint32, c <-chan T) (T, bool) {
	poll(site, c)
	v, ok := <-c
	received(site, c, ok)
	return v, ok
}

// An Over is a loop over a channel.
type Over[T any] struct {
	site uint32
	c    <-chan T
}

// RangeOver is the first receive of a loop.
func RangeOver[T any](site uint32, c <-chan T) (o Over[T], v T, ok bool) {
	v, ok = From2(site, c)
	return Over[T]{site, c}, v, ok
}

// Next is the next one.
func (o Over[T]) Next() (T, bool) { return From2(o.site, o.c) }

// CloseOf closes a channel.
//
//go:norace
func CloseOf[T any](site uint32, c chan<- T) {
	touch(Close, site, identifySend(c))
	close(c)
	completed()
}

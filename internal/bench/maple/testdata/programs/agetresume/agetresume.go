// Package agetresume has the second bug of aget: who saves the state of a download
// reads the position and the number of bytes one after the other, while the download
// moves both.
package agetresume

import "sync/atomic"

// A Download is under way.
type Download struct {
	position atomic.Int64
	written  atomic.Int64
}

// Receive is told of a block.
func (d *Download) Receive(n int64) {
	d.position.Add(n)
	d.written.Add(n)
}

// A State is what a download needs to go on.
type State struct{ Position, Written int64 }

// Save is called when the user interrupts.
func (d *Download) Save() State {
	written := d.written.Load()
	return State{d.position.Load(), written}
}

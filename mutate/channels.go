package mutate

import (
	"go/ast"
	"go/types"
	"slices"
	"sync"

	"mendel/mutate/internal/channelflow"
)

// A Channel is what may be one channel when the program runs, with all
// operations on it; see package channelflow.
type Channel = channelflow.Channel[*Function]

// A ChannelUse is one operation on a channel. Its Fn is nil in files that may
// not be edited.
type ChannelUse = channelflow.Use[*Function]

// Channel is the channel that an expression of the original, in the function,
// may stand for; nil if it is unknown, as one that a package outside the module
// made is: ctx.Done(), time.After(d).
func (fn *Function) Channel(e ast.Expr) *Channel {
	return fn.space.channels().Of(fn.File.Package.Info, e)
}

// ChannelOf is the channel that a variable, field, parameter or result of the
// program may hold; nil if it is unknown.
func (fn *Function) ChannelOf(v *types.Var) *Channel { return fn.space.channels().OfVar(v) }

// Channels lists the channels that are made in functions that may be edited,
// in source order of the first make.
func (w *Whole) Channels() []*Channel {
	var found []*Channel
	for _, c := range w.space.channels().All() {
		if slices.ContainsFunc(c.Makes, func(u ChannelUse) bool { return u.Fn != nil }) {
			found = append(found, c)
		}
	}
	return found
}

// A channelsOnce makes the index when it is first asked for.
type channelsOnce struct {
	once  sync.Once
	index *channelflow.Index[*Function]
}

// channels finds the program's channels. It does not depend on the narrowing.
func (s *Space) channels() *channelflow.Index[*Function] {
	s.channelsOnce.once.Do(func() {
		s.channelsOnce.index = channelflow.New(s.program, s.function)
	})
	return s.channelsOnce.index
}

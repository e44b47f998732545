package chanwait

import (
	"go/ast"
	"go/constant"
	"go/types"
	"slices"
	"strings"

	"mendel/mutate"
)

// Capacity is the constant capacity that a call of make gives a channel, 0 for
// none; -1: it is not constant.
func Capacity(fn *mutate.Function, call *ast.CallExpr) int64 {
	if len(call.Args) < 2 {
		return 0
	}
	v := fn.File.Package.Info.Types[call.Args[1]].Value
	if v == nil {
		return -1
	}
	n, exact := constant.Int64Val(constant.ToInt(v))
	if !exact {
		return -1
	}
	return n
}

// Buffered reports whether all makes of a channel are known, and give it room for
// a value.
func Buffered(c *mutate.Channel) bool {
	return len(c.Makes) > 0 && !slices.ContainsFunc(c.Makes, func(u mutate.ChannelUse) bool {
		return u.Fn == nil || Capacity(u.Fn, u.Node.(*ast.CallExpr)) < 1
	})
}

// Signals reports whether values of a type say little more than that they came.
func Signals(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Struct:
		return u.NumFields() == 0
	case *types.Basic:
		return u.Kind() == types.Bool
	}
	return false
}

// Semaphore reports whether a channel counts those who are in: it has a capacity,
// and what is received from it is thrown away, outside of any select or range,
// by who has sent before, not by one who loops for that or waits for a
// goroutine of its own to send.
func Semaphore(c *mutate.Channel) bool {
	if len(c.Makes) == 0 || len(c.Receives) == 0 || len(c.Ranges) > 0 || len(c.Closes) > 0 {
		return false
	}
	for _, u := range c.Makes {
		if u.Fn != nil && Capacity(u.Fn, u.Node.(*ast.CallExpr)) == 0 {
			return false
		}
	}
	return !slices.ContainsFunc(c.Receives, func(u mutate.ChannelUse) bool {
		s, ok := u.Stmt.(*ast.ExprStmt)
		return !ok || u.Select != nil || ast.Unparen(s.X) != u.Node || awaits(c, u)
	})
}

// awaits reports whether a receive is one of a goroutine that others send to.
func awaits(c *mutate.Channel, receive mutate.ChannelUse) bool {
	if receive.Fn == nil {
		return false
	}
	own := receive.Fn.Node
	sends := false
	for _, u := range c.Sends {
		if u.Fn != nil && u.Fn.Node == own {
			sends = true
		} else if own.Pos() <= u.Node.Pos() && u.Node.End() <= own.End() {
			return true
		}
	}
	return !sends && receive.Fn.Loops(receive.Node)
}

// Ticks reports whether a channel is that of a timer or ticker, which nobody closes.
func Ticks(fn *mutate.Function, ch ast.Expr) bool {
	sel, ok := ast.Unparen(ch).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	t := fn.File.Package.Info.TypeOf(sel.X)
	if t == nil {
		return false
	}
	switch strings.TrimPrefix(types.TypeString(t, nil), "*") {
	case "time.Ticker", "time.Timer":
		return true
	}
	return false
}

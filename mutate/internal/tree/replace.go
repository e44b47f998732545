package tree

import (
	"errors"
	"fmt"
	"go/ast"

	"github.com/dave/dst"
	"github.com/dave/dst/dstutil"
)

// Replace puts an expression or statement in the place of another one,
// whose comments and blank lines it takes over.
func (f *Edited) Replace(old, now dst.Node) error {
	if old == nil {
		return fmt.Errorf("another edit removed the code to replace from %s", f.Original.File.Rel)
	}
	if id, original := f.ids.of(old); original && id != 0 && f.inPlace(id) {
		replaceBelow(f.At(int(f.Original.parents[id])), old, now)
		return nil
	}
	for _, d := range f.root.Decls {
		if f.touched(d) && replaceBelow(d, old, now) {
			return nil
		}
	}
	return fmt.Errorf("the code to replace is no longer in %s", f.Original.File.Rel)
}

// replaceBelow puts a node in the place of another one somewhere below a root. It
// reports whether it was there.
func replaceBelow(root, old, now dst.Node) bool {
	replaced := false
	dstutil.Apply(root, func(c *dstutil.Cursor) bool {
		if c.Node() == old && !replaced {
			replaced = true
			takeOver(old, now)
			c.Replace(now)
			return false
		}
		return !replaced
	}, nil)
	return replaced
}

// takeOver gives one node the comments before and behind another one.
func takeOver(old, now dst.Node) {
	from, to := old.Decorations(), now.Decorations()
	to.Before, to.After = from.Before, from.After
	to.Start = append(from.Start, to.Start...)
	to.End = append(to.End, from.End...)
	from.Before, from.After, from.Start, from.End = dst.None, dst.None, nil, nil
}

// Retarget makes a call of a function one of another function, of the same
// value where it is a method.
func (f *Edited) Retarget(call *ast.CallExpr, name string) error {
	old, ok := f.Now(call).(*dst.CallExpr)
	if !ok {
		return errors.New("another edit removed a call")
	}
	// A new node, because the old one stands for a call of the old function.
	to := &dst.CallExpr{Fun: old.Fun, Args: old.Args, Ellipsis: old.Ellipsis, Decs: old.Decs}
	switch fun := old.Fun.(type) {
	case *dst.SelectorExpr:
		fun.Sel.Name = name
	case *dst.Ident:
		fun.Name = name
	default:
		return errors.New("the call names no function")
	}
	dstutil.Apply(f.root, func(c *dstutil.Cursor) bool {
		if c.Node() == dst.Node(old) {
			c.Replace(to)
			return false
		}
		return true
	}, nil)
	return nil
}

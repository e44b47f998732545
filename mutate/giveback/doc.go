// Package giveback gives back, before a way out that fails, what the function has taken and would have handed on.
//
//	select {                                      select {
//	case c.slots <- struct{}{}:                   case c.slots <- struct{}{}:
//	case <-ctx.Done():                            case <-ctx.Done():
//		return nil, ctx.Err()                         return nil, ctx.Err()
//	}                                             }
//	if err := c.open(ctx); err != nil {       →   if err := c.open(ctx); err != nil {
//		return nil, err                               <-c.slots
//	}                                                 return nil, err
//	return &Conn{c}, nil                          }
//	                                              return &Conn{c}, nil
//
//	func (k *Conn) Close() { <-k.c.slots }
//
// A call that succeeds hands a slot or permit to its caller, with a value whose method gives it back. When the call
// fails, nobody else can: after as many failures as there are slots everybody waits for ever. Tu et al.
// (Understanding Real-World Concurrency Bugs in Go, ASPLOS 2019, section 5.1) and Liu et al. (GCatch/GFix, ASPLOS
// 2021) have releases that an early return skips among blocking bugs. Package addunlock mends them for locks, and
// for slots that the function itself gives back at its end; here that is left to another function. The forms are:
//
//   - exit: slots of channels that count, and permits of values with methods Acquire and Release, Get and Put
//     and the like, before a return that fails, or at the end of a branch behind which the function fails,
//   - word: a call by which other functions tell a value, received from the same channel or given by the same
//     function, that they no longer wait at its channels.
//
// All exits of one resource are one composite edit. Package taken (mendel/analysis/taken) finds them.
//
// Left out are functions that give back what they took on a way that succeeds, and names that mean something
// else at the exit.
package giveback

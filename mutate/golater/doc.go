// Package golater starts a goroutine behind what sets the variables that it uses:
//
//	w := &Watcher{interval: time.Minute}    w := &Watcher{interval: time.Minute}
//	go w.run()                              for _, option := range options {
//	for _, option := range options {            option(w)
//		option(w)                      →    }
//	}                                       // started last: it uses what is set before
//	return w                                go w.run()
//	                                        return w
//
// It mends constructors, and methods such as Start, that begin the work before all is set up:
// the goroutine reads default values, or races with what is set. A lock would end the race and
// leave the order. Package initbeforego has the opposite: what the goroutine sets itself.
//
// What moves are all statements of the function's own list that only start goroutines: go
// statements, Go of a group, calls of a method that does nothing else, loops around these, and
// each with the Add in front of it. They go to the end, before the last return.
//
// In form exits they move over early exits, which then have no goroutine to end: what only
// closes channels, or waits for the goroutine, goes from there.
//
//	go w.run()                              if err := w.load(); err != nil {
//	if err := w.load(); err != nil {    →   	return nil, err
//		w.Close()                           }
//		return nil, err                     // started last: it uses what is set before
//	}                                       go w.run()
//
// Left out are
//   - functions behind whose start nothing is set that the goroutine uses,
//   - moves over what may wait for the goroutine: the move ends before it, or before an exit
//     that returns what the goroutine works on,
//   - moves over what assigns to an argument of the start, as it is written, or declares a name
//     that the start has, and functions with labels,
//   - starts in branches.
package golater

// Package signalearly adds the missing signal before an exit: other paths of
// the function send on a channel, close it, call Done of a wait group, or wake
// those who wait for a condition variable, and this one just returns.
//
//	if err != nil {          if err != nil {
//		return           →       done <- struct{}{}
//	}                            return
//	work()                   }
//	done <- struct{}{}       work()
//	                         done <- struct{}{}
//
// It mends goroutines that wait for a message or an end which never comes on the
// path taken. These are the missing interactions of GFix's second strategy (Liu
// et al., Automatically Detecting and Fixing Concurrency Bugs in Go Software
// Systems, ASPLOS 2021, section 4.2); this operator is for those where a deferred
// one would come too late or say the wrong thing. The exits are returns, calls
// that end the goroutine, the end of the function (form "end"), and the continues
// of a loop if the signal belongs to one iteration. The value sent is that of the
// other path, where it means the same at the exit; else the error at hand, or the
// zero value. A composite
// edit mends all exits that lack one signal. For Done of a wait group package
// deferdone comes first: one deferred call serves all exits.
//
// A signal may be given by a method that does nothing else, as one that offers to
// send in a select with a default. Then the other methods of the type which use the
// same lock, and do not call it, may lack it too, where they return without an
// error behind their section:
//
//	p.mu.Unlock()            p.mu.Unlock()
//	go p.work(task)     →    go p.work(task)
//	return nil               p.wakeSubmitter()
//	                         return nil
//
// That is how wake-ups get lost: one that is woken takes what there is and does not
// pass on that there is more. A composite edit gives the signal wherever it is
// missing.
//
// Done in a loop over a channel is for one value of it, and given before each continue,
// break and return there. Where others call Done for each value that they receive from a
// channel, a value that is dropped lacks it (form "drop"): one that is received and nothing
// is done with, as where a queue is emptied, and one that is counted by Add and then not
// sent, in the other cases of a select. A composite edit gives Done for all that are dropped:
//
//	for range q.jobs {   →   for range q.jobs {
//	}                            q.wg.Done()
//	q.wg.Wait()              }
//	                         q.wg.Wait()
//
// So does a parameter that one case of a select hands on, and another drops, where the package
// has a function that calls Done for such a value: it is called as elsewhere, best as in the
// case for the same channel of another select:
//
//	case <-timer.C:                case <-timer.C:
//		q.push(j)              	q.push(j)
//	case <-q.ctx.Done():      →    case <-q.ctx.Done():
//	                               	q.finish(j, ErrStopped)
//		return                 	return
//	}                              }
//
// Where others answer each value that they receive, on a channel that is a field of it, the
// same is true of the answer (form "reply"). It is the close that they make, or an error of
// the package whose name says that somebody serves no more, such as ErrClosed.
//
// Left out are exits
//   - that a signal may have reached already, and functions that defer one,
//   - whose results call functions of the module: these would run after the signal,
//   - for a close, of a function that is no goroutine and does not send, or may run again for
//     the same channel,
//
// and sends in loops, which are messages and not signals.
package signalearly

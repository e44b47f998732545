// Package closepipe ends a pipe where a function leaves it open.
//
//	pr, pw := io.Pipe()
//	go func() {                                go func() {
//		if err := encode(pw, list); err != nil {   	if err := encode(pw, list); err != nil {
//			return                          →   		pw.CloseWithError(err)
//		}                                          		return
//		pw.Close()                                 	}
//	}()                                        	pw.Close()
//	                                           }()
//	return pr                                  return pr
//
// Who reads from a pipe of package io waits until somebody writes, or closes the writer; who writes waits until
// somebody reads, or closes the reader. A way out that forgets the close leaves the other side waiting for ever. Tu
// et al. (Understanding Real-World Concurrency Bugs in Go, ASPLOS 2019, section 5.1.2) count pipes among
// the libraries whose misuse blocks. The forms are:
//
//   - writer: a way out behind a failure, on which a writer is not closed that the function closes elsewhere, closes it
//     with the error, so that who reads learns of it,
//   - reader: a function that makes a pipe and reads from it closes the reader when it returns: it may not have read all.
//
// A composite edit closes a writer on all ways out of a function. Left out are ways out on which no error is known, for
// there the end would look like that of everything; functions that defer the close; and readers
// that are returned, stored, or used by a goroutine or literal.
package closepipe

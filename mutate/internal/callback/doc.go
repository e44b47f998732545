// Package callback knows the calls of code that somebody else has given, an observer or a handler, for the
// operators that make them without a lock: callafter puts them off, addlock ends a section before them.
//
// What such a call is given, and the function itself, may be what the lock guards. [Early] says which
// operands have to be evaluated while it is held, and [Evaluate] makes variables of them:
//
//	                      info := t.info()
//	m.onEnd(t.info())  →  m.onEnd(info)
package callback

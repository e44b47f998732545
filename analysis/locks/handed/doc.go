// Package handed finds locks that a function takes for its caller, who gets them with a value:
//
//	s, err := m.lock(l) // takes s.mu if it returns no error
//	if err != nil {
//		return err
//	}
//	...
//	s.mu.Unlock()
//
// [To] lists what a function gets in this way, with the change that makes it a call of the lock's own
// method for [locks.Balance]. [By] says which of a function's exits hand a lock on.
package handed

// Package blocking finds what may keep a goroutine waiting: operations on
// channels, calls of the standard library that wait, and code that the users of
// a package supply.
//
//	func (s *Store) flush() {
//		s.done <- struct{}{}   // channel send
//		s.file.Sync()          // os.File.Sync
//		s.OnFlush()            // callback OnFlush
//	}
//
// [In] lists all of it for the functions of a file. [MayWait] and
// [ChannelOperation] answer for a single function and a single node.
package blocking

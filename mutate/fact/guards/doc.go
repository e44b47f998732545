// Package guards finds what the lock of a critical section guards: the fields beside the mutex,
// and what other sections of the lock use; and who uses that without the lock.
package guards

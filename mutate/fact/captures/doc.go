// Package captures finds the operands of statements that can leave a critical section if what
// the lock guards is evaluated, or copied, before the lock is released.
package captures

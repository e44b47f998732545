// Package held answers for the functions of the original which locks are held where, by callers
// and helpers too, and why a lock cannot be held around statements. It asks the model of
// package locks.
package held

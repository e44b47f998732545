// Package lockcall says which calls are of a lock's methods: mu.Lock(), defer s.mu.RUnlock().
package lockcall

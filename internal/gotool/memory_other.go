//go:build !linux && !darwin

package gotool

// totalMemory is unknown.
func totalMemory() int64 { return 0 }

//go:build unix && !linux

package gotool

// forkForEver is for Linux only.
func forkForEver(string) {}

//go:build !linux

package lean

func memory() string { return "" }

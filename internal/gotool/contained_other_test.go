//go:build unix && (!linux || portable)

package gotool

const contained = false

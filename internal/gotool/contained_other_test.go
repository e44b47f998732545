//go:build unix && (!linux || portable)

package gotool

import "testing"

const contained = false

// checkNoneMarked cannot tell here.
func checkNoneMarked(*testing.T, mark) {}

// crowded is not needed here.
func crowded(string) {}

func marked(*testing.T, mark) []int { return nil }

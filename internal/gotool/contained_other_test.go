//go:build unix && (!linux || portable)

package gotool

import "testing"

const contained = false

// checkNoneMarked cannot tell here.
func checkNoneMarked(*testing.T, mark) {}

// showAffinity is not needed here.
func showAffinity(string) {}

func marked(*testing.T, mark) []int { return nil }

//go:build !unix

package sched

import "time"

// processorTime is what the process has used of processors.
func processorTime() time.Duration { return unknownTime() }

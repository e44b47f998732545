package sched

import "time"

// began is when the process did, nearly.
var began = time.Now()

// unknownTime stands for processor time where the system does not tell: a process that
// always has a processor.
func unknownTime() time.Duration { return time.Since(began) }

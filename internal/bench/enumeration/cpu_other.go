//go:build !unix

package enumeration

import "time"

var start = time.Now()

// cpu is the time that has gone by: the system does not tell that of the processor.
func cpu() time.Duration { return time.Since(start) }

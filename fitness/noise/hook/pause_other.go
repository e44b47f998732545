//go:build !linux

package hook

import (
	"runtime"
	"time"
)

// pause gives way to others instead of sleeping.
//
//go:norace
func pause(time.Duration) {
	for range 100 {
		runtime.Gosched()
	}
}

//go:build race

package order

import "runtime"

// hide begins a part of a goroutine in which the race detector sees no
// synchronisation. Memory that it shares is used there by functions with
// go:norace only, and is no map, whose accesses the runtime reports itself.
func hide() { runtime.RaceDisable() }

// show ends what hide began.
func show() { runtime.RaceEnable() }

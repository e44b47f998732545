package gotool

import (
	"os/exec"
	"slices"
)

// Yielding is o for a program that leaves the processors to others, as nice(1)
// makes it do. Where there is no such command it is o itself.
func Yielding(o RunOptions) RunOptions {
	nice, err := exec.LookPath("nice")
	if err != nil {
		return o
	}
	o.Args = slices.Concat([]string{"-n", "10", o.Path}, o.Args)
	o.Path = nice
	return o
}

package gotool

import (
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

// A program that yields is nicer than others, as far as one can be.
func TestYielding(t *testing.T) {
	nice, err := exec.LookPath("nice")
	if err != nil {
		t.Skip(err)
	}
	niceness := func(o RunOptions) int {
		r, err := Run(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		n, err := strconv.Atoi(strings.TrimSpace(string(r.Output)))
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	usual := RunOptions{Path: nice} // without arguments, it says how nice it is
	if was, is := niceness(usual), niceness(Yielding(usual)); is != min(was+10, 19) {
		t.Errorf("niceness %d, %d without", is, was)
	}
}

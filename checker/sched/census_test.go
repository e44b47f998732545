package sched

import (
	"strings"
	"testing"
)

// Calls of the engine are taken out, others get the names of what they stand for.
func TestProgramStacks(t *testing.T) {

	dump := strings.ReplaceAll(`goroutine 7 [chan receive]:
HOME/sched.(*goroutine).park(...)
	goroutine.go:1
HOME/shim/sync.(*Mutex).Lock(0xc)
	mutex.go:1
main.f()
	f.go:2
...additional frames elided...
HOME/sched.(*goroutine).main(0xc)
	goroutine.go:3
created by HOME/sched.(*goroutine).resume in goroutine 1
	goroutine.go:4

goroutine 8 [chan receive]:
main.left()
	f.go:3
HOME/sched.(*goroutine).main(0xc)
	goroutine.go:3

goroutine 9 [select]:
HOME/sched.(*execution).supervise(0xc)
	supervise.go:1

goroutine 10 [chan receive]:
HOME/driver.(*T).Run(0xc)
	testing.go:1
main.Test()
	f.go:4
HOME/sched.(*goroutine).main(0xd?)
	goroutine.go:3
`, "HOME/", home)
	left := func(n string) bool { return n == "8" }
	tell := func(address string) (state, created string) {
		if address == "0xd" {
			return "runnable", "\ncreated by main.g\n\tf.go:5"
		}
		return "", ""
	}
	got := strings.Join(programStacks(dump, left, tell), "\n\n")
	want := strings.TrimSpace(`
goroutine 7 [chan receive]:
sync.(*Mutex).Lock(0xc)
	mutex.go:1
main.f()
	f.go:2

goroutine 10 [runnable]:
testing.(*T).Run(...)
	testing.go:1
main.Test()
	f.go:4
created by main.g
	f.go:5
`)
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

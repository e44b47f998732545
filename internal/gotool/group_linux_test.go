//go:build linux && !portable

package gotool

import (
	"os"
	"os/exec"
	"sync"
	"testing"

	"mendel/internal/sample"
)

// Members are looked for while somebody sums up what they have written.
func TestGroupIsShared(t *testing.T) {
	child := exec.Command("sleep", "60") // something for scan to find and to enter
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _, _ = child.Process.Kill(), child.Wait() }()
	g := &group{members: newMembers(process{pid: os.Getpid()}, mark(0))}
	for pid := range 5000 {
		g.known[-pid-1] = 0
	}
	stop := make(chan struct{})
	var watching sync.WaitGroup
	for range 2 {
		watching.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
					g.written()
				}
			}
		})
	}
	for range sample.Count(60, 300) {
		if _, _, err := g.scan(); err != nil {
			t.Error(err)
			break
		}
	}
	close(stop)
	watching.Wait()
	if _, ok := g.known[child.Process.Pid]; !ok {
		t.Error("the child was not found")
	}
}

package order_test

import (
	"bytes"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"mendel/order"
)

// Programs that fail do so in a process of their own. It runs one of these tests.
const child = "ORDER_TEST_CHILD"

// run runs a test of this binary in another process, and returns what it prints.
func run(t *testing.T, name string) string {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, "-test.run=^"+name+"$", "-test.v", "-test.timeout=5m")
	cmd.Env = append(os.Environ(), child+"=1", "GORACE=atexit_sleep_ms=0 suppress_equal_stacks=0 suppress_equal_addresses=0")
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err == nil {
		t.Fatalf("%s passes:\n%s", name, &out)
	}
	if name != "TestChildRaces" && strings.Contains(out.String(), "DATA RACE") {
		t.Errorf("%s has a race:\n%s", name, &out)
	}
	return out.String()
}

func onlyChild(t *testing.T) {
	t.Helper()
	if os.Getenv(child) == "" {
		t.Skip("runs in a process of its own")
	}
}

// parts are the outputs of subtests, by their names.
func parts(out string) map[string]string {
	parts := make(map[string]string)
	name := ""
	for _, line := range strings.SplitAfter(out, "\n") {
		if f := strings.Fields(line); len(f) == 3 && f[0] == "===" && f[1] != "PAUSE" {
			name = f[2]
		} else if len(f) > 2 && f[0] == "---" {
			name = f[2]
		}
		parts[name] += line
	}
	return parts
}

var numbers = regexp.MustCompile(`(goroutine |\.go:)\d+`)

func TestPossible(t *testing.T) {
	for _, p := range possible {
		t.Run(p.name, func(t *testing.T) { order.Test(t, p.orders, p.f) })
		t.Run(p.name+"InBubble", func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { order.Test(t, p.orders, p.f) })
		})
	}
}

func TestChildImpossible(t *testing.T) {
	onlyChild(t)
	for _, p := range impossible {
		body := func(t *testing.T) {
			t.Cleanup(func() { t.Log("cleaned up") })
			// Shorter than the default, so that this test is short.
			order.Test(t, p.orders, p.f, order.Within(2*time.Second))
		}
		t.Run(p.name, body)
		t.Run(p.name+"InBubble", func(t *testing.T) { synctest.Test(t, body) })
	}
	t.Log("the other tests run on")
}

// Orders that cannot be kept are told, with what waits for what. Cleanups and the other tests run.
func TestImpossible(t *testing.T) {
	out := run(t, "TestChildImpossible")
	all := parts(out)
	for _, p := range impossible {
		for _, name := range []string{p.name, p.name + "InBubble"} {
			name = "TestChildImpossible/" + name
			text := numbers.ReplaceAllString(all[name], "${1}N")
			for _, want := range []string{
				"order: cannot be kept: nothing can go on\n",
				"\t" + p.want + "\n",
				"order: " + p.orders + "\n",
				"cleaned up",
				"--- FAIL: ",
			} {
				if !strings.Contains(text, want) {
					t.Errorf("%s: no %q in:\n%s", name, want, text)
				}
			}
		}
	}
	if !strings.Contains(out, "the other tests run on") || strings.Contains(out, "panic:") {
		t.Errorf("the other tests do not run:\n%s", out)
	}
}

func TestChildRaces(t *testing.T) {
	onlyChild(t)
	for _, p := range racy {
		t.Run(p.name, func(t *testing.T) { order.Test(t, p.orders, p.f) })
		t.Run(p.name+"Try", func(t *testing.T) { order.Try(t, p.orders, p.f) })
		t.Run(p.name+"InBubble", func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { order.Test(t, p.orders, p.f) })
		})
	}
}

// Orders hide no races.
func TestRaces(t *testing.T) {
	if !raceEnabled {
		t.Skip("needs the race detector")
	}
	all := parts(run(t, "TestChildRaces"))
	for _, p := range racy {
		for _, name := range []string{p.name, p.name + "Try", p.name + "InBubble"} {
			if text := all["TestChildRaces/"+name]; !strings.Contains(text, "race detected during execution of test") {
				t.Errorf("%s: no race:\n%s", name, text)
			}
		}
	}
}

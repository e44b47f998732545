package order_test

import (
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"mendel/order"
)

// behaviours are tests that fail, or say something, each with what it prints.
var behaviours = []struct {
	name string
	f    func(t *testing.T)
	want []string
	not  []string
}{
	{"never", func(t *testing.T) {
		order.Test(t, "a -> b, c -> d", func(t *testing.T) { order.At("a"); order.At("b") })
	}, []string{"order: never came: c, d; came: a (behave_test.go:N), b (behave_test.go:N)", "--- FAIL"}, nil},
	{"neverTried", func(t *testing.T) {
		order.Try(t, "a -> b", func(t *testing.T) { order.At("a") })
	}, []string{"order: never came: b; came: a", "--- PASS"}, nil},
	{"notation", func(t *testing.T) {
		order.Test(t, "a -> ", func(t *testing.T) { t.Error("runs") })
	}, []string{"order: column 6: want the name of an event, found the end", "--- FAIL"}, []string{"runs"}},
	{"circle", func(t *testing.T) {
		order.Test(t, "a -> b, b -> a", func(t *testing.T) { t.Error("runs") })
	}, []string{"order: column 1: a circle: a waits for b, b waits for a", "--- FAIL"}, []string{"runs"}},
	{"expected", func(t *testing.T) {
		order.Expect(t, "a -> b, [a] -> c", func(t *testing.T) {
			order.At("b")
			order.At("a")
			order.At("c")
		})
	}, []string{
		"order: b (behave_test.go:N) came before its turn: it waits for a, which has not come",
		"order: c (behave_test.go:N) came before its turn: it waits for [a], but goroutine N is not blocked there (running)",
		"--- FAIL",
	}, nil},
	{"expectedBlock", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			order.Expect(t, "[a] -> b", func(t *testing.T) {
				c := make(chan int)
				go func() { order.At("a"); <-c }()
				synctest.Wait()
				order.At("b")
				close(c)
			})
		})
	}, []string{"--- PASS"}, nil},
	{"gaveWay", func(t *testing.T) {
		order.Try(t, "a#2 -> b", func(t *testing.T) {
			together(func() { order.At("b"); order.At("a") }, func() { order.At("a") })
		})
	}, []string{"order: nothing else could go on, so b (behave_test.go:N) came before its turn: it waits for a#2, which has not come", "--- PASS"}, nil},
	{"gaveWayInBubble", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			order.Try(t, "a#2 -> b", func(t *testing.T) {
				together(func() { order.At("b"); order.At("a") }, func() { order.At("a") })
			})
		})
	}, []string{"order: nothing else could go on, so b (behave_test.go:N) came before its turn: it waits for a#2, which has not come", "--- PASS"}, nil},
	{"failNow", func(t *testing.T) {
		order.Test(t, "a -> b", func(t *testing.T) { t.Fatal("enough") })
		t.Error("goes on")
	}, []string{"enough", "--- FAIL"}, []string{"goes on", "Goexit"}},
	{"skip", func(t *testing.T) {
		order.Test(t, "a -> b", func(t *testing.T) { t.Skip("not today") })
		t.Error("goes on")
	}, []string{"not today", "--- SKIP"}, []string{"goes on"}},
	{"deadlock", func(t *testing.T) {
		order.Test(t, "a1 -> b2, b1 -> a2", func(t *testing.T) {
			var a, b sync.Mutex
			together(func() {
				a.Lock()
				order.At("a1")
				order.At("a2")
				b.Lock()
			}, func() {
				b.Lock()
				order.At("b1")
				order.At("b2")
				a.Lock()
			})
		}, order.Within(2*time.Second))
	}, []string{"order: deadlock: nothing can go on, and no goroutine waits for an event", "came: ", "[sync.Mutex.Lock]", "--- FAIL"}, nil},
	{"cleanupLetsGo", func(t *testing.T) {
		order.Test(t, "[a] -> b", func(t *testing.T) {
			c := make(chan int)
			t.Cleanup(func() { close(c) })
			go func() { order.At("b") }()
			<-c
			t.Log("has gone on")
		}, order.Within(2*time.Second))
	}, []string{"b (behave_test.go:N) waits for [a], but a has not come", "has gone on", "--- FAIL"}, []string{"panic"}},
	{"asleep", func(t *testing.T) {
		order.Test(t, "a -> b", func(t *testing.T) {
			stop := make(chan bool)
			t.Cleanup(func() { close(stop) })
			go func() {
				for {
					select {
					case <-stop:
						return
					default:
						time.Sleep(time.Millisecond)
					}
				}
			}()
			order.At("b")
		}, order.Within(100*time.Millisecond))
	}, []string{"order: cannot be kept: no event comes, though goroutines go on (for 100ms)", "--- FAIL"}, nil},
	{"nested", func(t *testing.T) {
		order.Test(t, "a -> b", func(t *testing.T) {
			order.Test(t, "c -> d", func(t *testing.T) {})
		}, order.Within(2*time.Second))
	}, []string{"order: deadlock", "--- FAIL"}, nil},
	{"parallelBefore", func(t *testing.T) {
		t.Parallel()
		order.Test(t, "a -> b", func(t *testing.T) { t.Error("runs") })
	}, []string{"order: the test has called t.Parallel", "--- FAIL"}, []string{"runs"}},
	{"bubbleWithin", func(t *testing.T) {
		order.Test(t, "a -> b", func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { order.At("a"); order.At("b") })
		})
	}, []string{"order: an event was passed in another bubble of testing/synctest than the order was begun in", "--- FAIL"}, nil},
	{"testWaits", func(t *testing.T) {
		// A test may wait for its bubble, too.
		synctest.Test(t, func(t *testing.T) {
			order.Test(t, "[a] -> b", func(t *testing.T) {
				c := make(chan int)
				go func() { time.Sleep(time.Second); order.At("a"); <-c }()
				go func() { order.At("b"); close(c) }()
				begun := time.Now()
				for i := 0; i < 100; i++ {
					synctest.Wait()
				}
				<-c
				if d := time.Since(begun); d < time.Second || d > 1200*time.Millisecond {
					t.Errorf("b came after %v", d)
				}
			})
		})
	}, []string{"--- PASS"}, nil},
}

func TestChildBehaviour(t *testing.T) {
	onlyChild(t)
	for _, b := range behaviours {
		t.Run(b.name, b.f)
	}
}

func TestBehaviour(t *testing.T) {
	all := parts(run(t, "TestChildBehaviour"))
	for _, b := range behaviours {
		text := numbers.ReplaceAllString(all["TestChildBehaviour/"+b.name], "${1}N")
		for _, want := range b.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %q in:\n%s", b.name, want, text)
			}
		}
		for _, not := range b.not {
			if strings.Contains(text, not) {
				t.Errorf("%s: %q in:\n%s", b.name, not, text)
			}
		}
	}
}

func TestChildPanic(t *testing.T) {
	onlyChild(t)
	order.Test(t, "a -> b", func(t *testing.T) {
		t.Cleanup(func() { t.Log("cleaned up") })
		panic("out of order")
	})
}

// A panic ends the process as it does in a test.
func TestPanic(t *testing.T) {
	out := run(t, "TestChildPanic")
	for _, want := range []string{"--- FAIL: TestChildPanic", "cleaned up", "panic: out of order", "order_test.TestChildPanic.func1"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in:\n%s", want, out)
		}
	}
}

// Orders of goroutines that are no tests wait for each other.
func TestOneAtATime(t *testing.T) {
	var running, most int
	var mu sync.Mutex
	var wg sync.WaitGroup
	for i := 0; i < 3; i++ {
		wg.Go(func() {
			order.Test(t, "a -> b", func(t *testing.T) {
				mu.Lock()
				if running++; running > most {
					most = running
				}
				mu.Unlock()
				together(func() { order.At("b") }, func() { order.At("a") })
				mu.Lock()
				running--
				mu.Unlock()
			})
		})
	}
	wg.Wait()
	if most != 1 {
		t.Errorf("%d orders at a time", most)
	}
}

// Outside an order At does nothing.
func TestOutside(t *testing.T) {
	order.At("a")
	ended := make(chan bool)
	order.Go("b", func() { close(ended) })
	<-ended
}

func BenchmarkAtOutside(b *testing.B) {
	for i := 0; i < b.N; i++ {
		order.At("a")
	}
}

package exits_test

import (
	"strings"
	"testing"

	"mendel/mutate/fact/exits"
	"mendel/mutate/internal/mutatetest"
)

// TestTerminates puts each statement at the end of a function and asks for it.
func TestTerminates(t *testing.T) {
	for _, test := range []struct {
		name, stmt string
		want       bool
	}{
		{"return", `return`, true},
		{"panic", `panic("x")`, true},
		{"a function called panic", `{ panic := func(any) {}; panic("x") }`, false},
		{"os.Exit", `os.Exit(1)`, true},
		{"log.Fatal", `log.Fatal("x")`, true},
		{"log.Panicf", `log.Panicf("x")`, true},
		{"log.Print", `log.Print("x")`, false},
		{"t.Fatal", `t.Fatal("x")`, true},
		{"t.Skip", `t.Skip("x")`, true},
		{"t.Error", `t.Error("x")`, false},
		{"runtime.Goexit", `runtime.Goexit()`, true},
		{"goto", `for { goto there }; there: f()`, false},
		{"only goto", `again: f(); if c { return } else { goto again }`, true},
		{"block", `{ f(); return }`, true},
		{"empty block", `{}`, false},
		{"if", `if c { return }`, false},
		{"if, else", `if c { return } else { panic("x") }`, true},
		{"if, else if", `if c { return } else if f() { return }`, false},
		{"if, else that runs on", `if c { return } else { f() }`, false},
		{"endless for", `for { f() }`, true},
		{"for with a condition", `for c { f() }`, false},
		{"for with a break", `for { if c { break } }`, false},
		{"for with a break of a select", `for { select { case <-ch: break } }`, true},
		{"for with a break of an inner loop", `for { for { break } }`, true},
		{"labelled for", `loop: for { if c { continue loop } }`, true},
		{"labelled break", `loop: for { select { case <-ch: break loop } }`, false},
		{"labelled break of an outer loop", `loop: for c { for { break loop } }`, false},
		{"labelled for with a condition", `loop: for c { continue loop }`, false},
		{"range", `for range ch { return }`, false},
		{"empty select", `select {}`, true},
		{"select", `select { case <-ch: return; case ch <- 1: os.Exit(1) }`, true},
		{"select that runs on", `select { case <-ch: return; case ch <- 1: }`, false},
		{"select with a break", `select { case <-ch: if c { break }; return }`, false},
		{"switch", `switch { case c: return; default: t.FailNow() }`, true},
		{"switch without default", `switch { case c: return }`, false},
		{"switch that falls through", `switch { case c: fallthrough; default: return }`, true},
		{"switch with a break", `switch { case c: break; default: return }`, false},
		{"type switch", `switch any(c).(type) { case int: return; default: return }`, true},
		{"go", `go f()`, false},
		{"literal that panics", `func() { panic("x") }()`, false},
	} {
		src := `package p

import ("log"; "os"; "runtime"; "testing")

var c bool
var _, _, _ = log.Print, os.Exit, runtime.Goexit

func f() bool { return c }

func g(t *testing.T, ch chan int) {
	` + strings.ReplaceAll(test.stmt, "; ", "\n\t") + `
}

func use() { go g(nil, nil); go f() }
`
		t.Run(test.name, func(t *testing.T) {
			fn := mutatetest.Functions(t, map[string]string{"in.go": src})["g"]
			if fn == nil {
				t.Fatal("there is no function g")
			}
			last := fn.Body.List[len(fn.Body.List)-1]
			if got := exits.Terminates(fn, last); got != test.want {
				t.Errorf("%s: %t, want %t", test.stmt, got, test.want)
			}
		})
	}
}

package analysis

import (
	"errors"
	"testing"
)

// A pattern that no test matches is an error before anything is built; one that
// may match a test is none.
func TestCheckRun(t *testing.T) {
	dir := extractText(t, `
-- go.mod --
module example.com/m

go 1.25
-- p/p.go --
package p
-- p/p_test.go --
package p

import "testing"

func TestOne(t *testing.T)    {}
func FuzzTwo(f *testing.F)    {}
func Testing(t *testing.T)    {}
func helper(t *testing.T)     {}
func (T) TestMethod(t string) {}

type T struct{}
-- p/q_test.go --
package p_test

func ExampleThree() {}
-- none/p.go --
package none
-- none/p_test.go --
package none
`)
	p := load(t, dir, "./p")
	for pattern, ok := range map[string]bool{
		"": true, "One": true, "TestOne/sub": true, "FuzzTwo": true, "Three": true, "Two|Nope": true, "Nope/x|TestOne": true, "(": true,
		"Nope": false, "Testing": false, "helper": false, "TestMethod": false, "Nope/One": false,
	} {
		p.Target.Run = pattern
		var none *NoTests
		if err := p.CheckRun(); errors.As(err, &none) == ok {
			t.Errorf("--run %s: %v", pattern, err)
		}
	}
	if err := load(t, dir, "./none", func(t *Target) { t.Run = "Nope" }).CheckRun(); err != nil {
		t.Errorf("of a package without tests: %v", err)
	}
}

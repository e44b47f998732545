package instrument

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

// What a package becomes does not depend on who uses it, so that it is compiled once for
// the tests of all packages: here of one whose types have value receivers, and of one
// without any.
func TestIndependentOfUsers(t *testing.T) {
	dir := extract(t, txtar.Parse([]byte(`-- go.mod --
module example.com/p

go 1.26
-- p.go --
package p

type Named interface{ Name() string }

var last string

func Keep[T Named](n Named, t T) func() {
	last = n.Name() + t.Name()
	defer n.Name()
	return func() { last = n.Name() }
}
-- value/value_test.go --
package value

import (
	"testing"

	"example.com/p"
)

type value struct{ name string }

func (v value) Name() string { return v.name }

func Test(t *testing.T) { p.Keep(&value{"v"}, value{"w"})() }
-- pointer/pointer_test.go --
package pointer

import (
	"testing"

	"example.com/p"
)

type pointer struct{ name string }

func (p *pointer) Name() string { return p.name }

func Test(t *testing.T) { p.Keep(&pointer{"v"}, &pointer{"w"})() }
`)))
	text := func(pkg string) string {
		s := load(t, dir, pkg)
		o, _ := s.overlay(t, nil)
		s.build(t, o)
		return string(o[filepath.Join(dir, "p.go")])
	}
	if diff := cmp.Diff(text("./value"), text("./pointer")); diff != "" {
		t.Errorf("-for value +for pointer:\n%s", diff)
	}
}

package programs

import (
	"go/parser"
	"go/token"
	"slices"
	"testing"
)

func TestTestFunctions(t *testing.T) {
	f, err := parser.ParseFile(token.NewFileSet(), "x_test.go", `package x

func TestMain(m *testing.M) {}
func TestB(t *testing.T)    {}
func TestA(t *testing.T)    {}
func Test(t *testing.T)     {}
func Test_x(t *testing.T)   {}
func Testify(t *testing.T)  {}
func TestÄhnlich(t *testing.T) {}
func Testähnlich(t *testing.T) {}
func TestHelper(t *testing.T, n int) {}
func (s suite) TestC(t *testing.T) {}
func BenchmarkX(b *testing.B) {}
`, 0)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := testFunctions(f), []string{"TestB", "TestA", "Test", "Test_x", "TestÄhnlich"}; !slices.Equal(got, want) {
		t.Errorf("tests %q, want %q", got, want)
	}
}

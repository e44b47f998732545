package analysis

import "testing"

// Of a program that is not edited nothing is loaded that it does not use: a file
// that imports more is refused.
func TestUnedited(t *testing.T) {
	dir := extractText(t, "-- go.mod --\nmodule example.com/m\n\ngo 1.25\n-- a.go --\npackage a\n\nfunc F() {}\n")
	for _, unedited := range []bool{false, true} {
		p, err := Load(t.Context(), nil, Target{Dir: dir, Package: ".", Unedited: unedited})
		if err != nil {
			t.Fatal(err)
		}
		more := "package a\n\nimport \"maps\"\n\nfunc F() { _ = maps.Clone(map[int]int{}) }\n"
		if err := p.Check(map[string][]byte{p.File("a.go").Name: []byte(more)}); (err != nil) != unedited {
			t.Errorf("unedited %t: a file that imports maps: %v", unedited, err)
		}
	}
}

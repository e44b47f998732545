package rules

import "testing"

// A mutant that lets goroutines leave loops has those of the original.
func TestLeavesMore(t *testing.T) {
	const original = `package p

func feed(in []int, out, done chan int) {
	for _, v := range in {
		out <- v
	}
}
`
	for name, test := range map[string]struct {
		loop string
		same bool
	}{
		"leaves":            {"for _, v := range in {\n select {\n case out <- v:\n case <-done:\n return\n }\n }", true},
		"goes on":           {"for _, v := range in {\n select {\n case out <- v:\n case <-done:\n }\n }", false},
		"does not wait":     {"for _, v := range in {\n select {\n case out <- v:\n default:\n return\n }\n }", false},
		"another loop":      {"for {\n for _, v := range in {\n out <- v\n }\n }", false},
		"before it":         {"defer close(done)\n for _, v := range in {\n out <- v\n }", false},
		"another condition": {"for len(in) > 0 {\n select {\n case out <- in[0]:\n case <-done:\n return\n }\n }", false},
	} {
		changed := "package p\n\nfunc feed(in []int, out, done chan int) {\n" + test.loop + "\n}\n"
		s, err := compareFiles(map[string][]byte{"in.go": []byte(original)}, map[string][]byte{"in.go": []byte(changed)})
		if err != nil {
			t.Fatal(err)
		}
		if same := s.leavesMore(); same != test.same {
			t.Errorf("%s: the loops are those of the original: %t", name, same)
		}
	}
}

package rules

import (
	"strings"
	"testing"
)

// A send that is made only if there is room may be decided by a condition; one that waits for
// its receiver may not.
func TestPolledSend(t *testing.T) {
	const head = "package p\n\ntype w struct {\n\tc      chan int\n\tclosed bool\n}\n\nfunc (x *w) tell(n int) {\n"
	for name, test := range map[string]struct {
		send    string
		refused bool
	}{
		"polled": {"\tselect {\n\tcase x.c <- n:\n\tdefault:\n\t}\n", false},
		"waits":  {"\tx.c <- n\n", true},
	} {
		original := map[string][]byte{"go.mod": []byte("module example.com/p\n\ngo 1.25\n"), "p.go": []byte(head + test.send + "}\n")}
		edited := map[string][]byte{"p.go": []byte(head + "\tif !x.closed {\n" + test.send + "\t}\n}\n")}
		s, err := compareFiles(original, edited)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		b := s.breach()
		if refused := b != nil && b.Rule == DeletedWork && strings.Contains(b.What, "only sometimes"); refused != test.refused {
			t.Errorf("%s: %v", name, b)
		}
	}
}

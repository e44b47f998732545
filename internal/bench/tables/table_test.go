package tables

import (
	"bytes"
	"testing"
)

func TestTableMarkdownEscapes(t *testing.T) {
	tab := &Table{Header: []string{"a", "b"}}
	tab.Add("x|y", "two\nlines")
	var b bytes.Buffer
	if err := tab.markdown(&b); err != nil {
		t.Fatal(err)
	}
	if want := "| a | b |\n| --- | --- |\n| x\\|y | two<br>lines |\n"; b.String() != want {
		t.Errorf("got\n%swant\n%s", b.String(), want)
	}
}

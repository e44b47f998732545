package main

import (
	"bytes"
	"testing"
)

func TestTableMarkdownEscapes(t *testing.T) {
	tab := &table{header: []string{"a", "b"}}
	tab.add("x|y", "two\nlines")
	var b bytes.Buffer
	if err := tab.Markdown(&b); err != nil {
		t.Fatal(err)
	}
	if want := "| a | b |\n| --- | --- |\n| x\\|y | two<br>lines |\n"; b.String() != want {
		t.Errorf("got\n%swant\n%s", b.String(), want)
	}
}

package lines

import (
	"slices"
	"strings"
	"testing"
)

func TestRebase(t *testing.T) {
	for _, tt := range []struct{ name, original, before, after, want string }{
		{
			"unformatted lines elsewhere",
			"a( 1 )\nb\nc( 3 )\n", "a(1)\nb\nc(3)\n", "a(1)\nb\nnew\nc(3)\n",
			"a( 1 )\nb\nnew\nc( 3 )\n",
		},
		{
			"carriage returns",
			"a\r\nb\r\n", "a\nb\n", "a\nnew\nb\n",
			"a\r\nnew\r\nb\r\n",
		},
		{
			"a comment that the decorator moves",
			"a\n// c\nb\n", "// c\na\nb\n", "// c\na\nb\nnew\n",
			"a\n// c\nb\nnew\n",
		},
		{
			"a replaced line",
			"a;\n  b\nc\n", "a\nb\nc\n", "a\nB\nc\n",
			"a;\nB\nc\n",
		},
		{
			"a removed line",
			"  a\n  b\n  c\n", "a\nb\nc\n", "a\nc\n",
			"  a\n  c\n",
		},
		{
			"no newline at the end",
			"a\n  b", "a\nb\n", "a\nb\nnew\n",
			"a\n  b\nnew\n",
		},
		{
			"in front",
			"  a\n", "a\n", "new\na\n",
			"new\n  a\n",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Rebase([]byte(tt.original), []byte(tt.before), []byte(tt.after))
			if err != nil || string(got) != tt.want {
				t.Errorf("got %q, %v; want %q", got, err, tt.want)
			}
		})
	}
}

// Where the edited lines have no counterpart the layout cannot be kept.
func TestRebaseRefuses(t *testing.T) {
	for _, tt := range []struct{ name, original, before, after string }{
		{"one line became three", "if a { b }\n", "if a {\n\tb\n}\n", "if a {\n\tnew\n\tb\n}\n"},
		{"a changed line", "x  y\nz\n", "completely\nother\n", "completely\nnew\nother\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got, err := Rebase([]byte(tt.original), []byte(tt.before), []byte(tt.after)); err == nil {
				t.Errorf("got %q", got)
			}
		})
	}
}

// Text of the original is never lost and lines are never invented, whatever
// the three texts are.
func FuzzRebase(f *testing.F) {
	f.Add("a\nb\n", "a\nb\n", "a\nx\nb\n")
	f.Add("a \r\n b\n\n", "a\nb\n", "b\n")
	f.Add("", "\n", "x\n")
	f.Add("a", "a\n", "")
	f.Fuzz(func(t *testing.T, original, before, after string) {
		got, err := Rebase([]byte(original), []byte(before), []byte(after))
		if err != nil {
			return
		}
		known := make(map[string]bool)
		for _, line := range append(split(original), split(after)...) {
			known[strings.TrimRight(line, "\r\n")] = true
		}
		for _, line := range split(string(got)) {
			if !known[strings.TrimRight(line, "\r\n")] {
				t.Errorf("invented %q", line)
			}
		}
		if before == after && string(got) != original && string(got) != original+"\n" {
			t.Errorf("no change changed %q to %q", original, got)
		}
	})
}

// Lines that are alike belong together, although others stand above them.
func TestOriginalsAlike(t *testing.T) {
	got := Originals(
		[]byte("a\nfound := make(chan Status)\nfailed := make(chan error)\nb\n"),
		[]byte("a\n// with room\nfound := make(chan Status, 1)\n// with room\nfailed := make(chan error, 1)\nb\n"))
	if want := []int{1, 1, 2, 2, 3, 4}; !slices.Equal(got, want) {
		t.Errorf("lines %v, want %v", got, want)
	}
}

func TestOriginals(t *testing.T) {
	got := Originals([]byte("a\nb\nc\n"), []byte("new\na\nx\ny\n\tb\nc\nz\n"))
	want := []int{1, 1, 1, 1, 2, 3, 3}
	if len(got) != len(want) {
		t.Fatalf("got %v, want %v", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("got %v, want %v", got, want)
		}
	}
}

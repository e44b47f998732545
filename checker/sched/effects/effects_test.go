package effects

import "testing"

func TestOf(t *testing.T) {
	for _, test := range []struct{ pkg, name, want string }{
		{"sort", "Ints", "0w"},
		{"sort", "SearchInts", "0r"},
		{"strings", "ToUpper", ""},
		{"bytes", "Buffer.Write", "0w 0Kadd 1r"},
		{"bytes", "Buffer.Len", "0r"},
		{"encoding/json", "Marshal", "0R"},
		{"fmt", "Fprintf", "0mWrite 2F"},
		{"maps", "Copy", "0w 1r"},
		{"os", "Setenv", "$environment:L"},
		{"expvar", "Int.Value", "0l"},
		{"expvar", "Int.Set", "0S"},
		{"container/ring", "Ring.Next", "0r0 0z0.1"},
		{"regexp", "Regexp.MatchString", "0r"},
		{"no/such", "Function", ""},
	} {
		if got := Of(test.pkg, test.name); got != test.want {
			t.Errorf("Of(%s, %s) = %q, want %q", test.pkg, test.name, got, test.want)
		}
	}
}

func TestParam(t *testing.T) {
	const words = "0>1mWrite 0L 1F 12r $files:l $log:L"
	for index, want := range map[int]string{0: ">1mWrite L", 1: "F", 2: "", 12: "r"} {
		if got := Param(words, index); got != want {
			t.Errorf("Param(%d) = %q, want %q", index, got, want)
		}
	}
	if got := State(words); got != "$files:l $log:L" {
		t.Errorf("State = %q", got)
	}
}

func TestMethod(t *testing.T) {
	if !Method("WriteString") || Method("NoSuchMethod") {
		t.Errorf("Method(WriteString) = %v, Method(NoSuchMethod) = %v", Method("WriteString"), Method("NoSuchMethod"))
	}
}

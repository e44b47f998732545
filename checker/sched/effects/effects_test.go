package effects

import "testing"

func TestRegister(t *testing.T) {
	Register("empty\nbytes\n\tBuffer.Len 0r\n\tBuffer.Write 0w 0Kadd\n")
	Register("bytes\n\tBuffer.Len 0r\n\tBuffer.Write 0w 0Kadd\nos\n\tFile.Seek 0r $files:L\n")
	for _, test := range []struct{ pkg, name, want string }{
		{"bytes", "Buffer.Len", "0r"},
		{"bytes", "Buffer.Write", "0w 0Kadd"},
		{"os", "File.Seek", "0r $files:L"},
		{"bytes", "Buffer.Grow", ""},
		{"no/such", "Type.Method", ""},
	} {
		if got := Of(test.pkg, test.name); got != test.want {
			t.Errorf("Of(%s, %s) = %q, want %q", test.pkg, test.name, got, test.want)
		}
	}
	for path, want := range map[string]bool{"empty": true, "bytes": true, "os": true, "fmt": false} {
		if got := Package(path); got != want {
			t.Errorf("Package(%s) = %t", path, got)
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
	if got := Receiver(words); got != "0>1mWrite 0L $files:l $log:L" {
		t.Errorf("Receiver = %q", got)
	}
}

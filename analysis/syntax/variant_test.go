package syntax

import "testing"

func TestUncapital(t *testing.T) {
	for name, want := range map[string]string{
		"Len": "len", "GetChars": "getChars", "ID": "id", "IDs": "ids", "URLOf": "urlOf", "X": "x", "len": "len",
		"Öffnen": "öffnen", "JSON2": "json2",
	} {
		if got := Uncapital(name); got != want {
			t.Errorf("%s becomes %s, want %s", name, got, want)
		}
	}
}

func TestVariantKey(t *testing.T) {
	for key, want := range map[string]string{
		"(*example.com/p.Wire).Deliver": "(*example.com/p.Wire).deliverLocked", "example.com/p.IDs": "example.com/p.idsLocked", "put": "putLocked",
	} {
		if got := VariantKey(key); got != want {
			t.Errorf("%s becomes %s, want %s", key, got, want)
		}
	}
}

package mutate

import "testing"

func TestUncapital(t *testing.T) {
	for name, want := range map[string]string{
		"Len": "len", "GetChars": "getChars", "ID": "id", "IDs": "ids", "URLOf": "urlOf", "X": "x", "len": "len",
		"Öffnen": "öffnen", "JSON2": "json2",
	} {
		if got := uncapital(name); got != want {
			t.Errorf("%s becomes %s, want %s", name, got, want)
		}
	}
}

package syntax

import "testing"

func TestEnumerate(t *testing.T) {
	for want, names := range map[string][]string{
		"": nil, "a": {"a"}, "a and b": {"a", "b"}, "a, b and c": {"a", "b", "c"},
	} {
		if got := Enumerate(names); got != want {
			t.Errorf("%v is written %q, want %q", names, got, want)
		}
	}
}

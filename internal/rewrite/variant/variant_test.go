package variant

import "testing"

func TestParse(t *testing.T) {
	choices := []Choice{{0, 2}, {17, 1}, {Max - 1, 65535}}
	got := parse(Format(choices))
	want := [Max]uint16{0: 2, 17: 1, Max - 1: 65535}
	if got != want {
		t.Errorf("%s is read otherwise", Format(choices))
	}
	for _, text := range []string{"", "=", "1", "x=1", "1=x", "-1=1", "4096=1", "1=65536"} {
		if parse(text) != [Max]uint16{} {
			t.Errorf("%q chooses something", text)
		}
	}
}

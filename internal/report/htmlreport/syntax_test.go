package htmlreport

import (
	"strings"
	"testing"
)

// TestTokens gives each token of Go its class.
func TestTokens(t *testing.T) {
	const source = "func (a *A) f(n int) { // \"x\"\n\tch <- len(a.go1) + 0x_fF + 1e-3 + .5i /* 'y' **/ + 1\n\tif s := \"a\\\"b\" + `c\n`; s != nil { panic('\\'' + 'ä' + '\\u00e4') }\n\tselecting, len := true, 5\n}\n"
	var got []string
	for _, s := range tokens("a.go", source) {
		if s.Class != "" {
			got = append(got, s.Class+" "+s.Text)
		}
	}
	want := []string{
		"tk func", "tf f", "tt int", `tc // "x"`,
		"tt len", "tn 0x_fF", "tn 1e-3", "tn .5i", "tc /* 'y' **/", "tn 1",
		"tk if", `ts "a\"b"`, "ts `c\n`", "tn nil", "tt panic", `ts '\''`, "ts 'ä'", `ts '\u00e4'`,
		"tn true", "tn 5",
	}
	if g, w := strings.Join(got, "\n"), strings.Join(want, "\n"); g != w {
		t.Errorf("got\n%s\nwant\n%s", g, w)
	}
	// Without their ends, a great many of them take no time to speak of.
	for _, open := range []string{"/* ", "\"\\", "`x", "'\\", "/*/"} {
		if got := tokens("a.go", strings.Repeat(open, 5_001)); len(got) == 0 {
			t.Errorf("%q has no tokens", open)
		}
	}
	for name, text := range map[string]string{"README": "func", "a.go": "func \xff"} {
		if got := tokens(name, text); len(got) != 1 || got[0] != (span{Text: text}) {
			t.Errorf("%s is not plain: %v", name, got)
		}
	}
}

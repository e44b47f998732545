package scenario

import "testing"

func TestGivenBack(t *testing.T) {
	for _, test := range []struct {
		before, after string
		want          bool
	}{
		{`[" fails" " fails"], then `, `[" fails" "a succeeds"], then `, true},
		{`["c fails" " fails"], then "1"`, `["c succeeds" " fails"], then "1"`, true},
		{`["fails" "fails"], then "1"`, `["fails" "succeeds"], then "2"`, false},        // the value is another one
		{`["succeeds" "fails"], then `, `["succeeds" "succeeds"], then `, false},        // nothing was lost: the refusal was meant
		{`["fails" "succeeds"], then `, `["fails" "fails"], then `, false},              // it fails now
		{`["fails" "fails"], then `, `["succeeds" "succeeds"], then `, false},           // no call fails any more
		{`["fails" "3"], then `, `["fails" "4"], then `, false},                         // another result
		{`["fails" "fails"], then `, `["fails" "fails" "succeeds"], then `, false},      // other calls
		{`["say \"fails" "fails"], then `, `["say \"fails" "x succeeds"], then `, true}, // a quote in a result
	} {
		if got := givenBack(test.before, test.after); got != test.want {
			t.Errorf("givenBack(%s, %s) = %t, want %t", test.before, test.after, got, test.want)
		}
	}
}

package textreport

import (
	"io"
	"strings"
	"testing"
)

// A fix whose validation is incomplete is counted as such in every form.
func TestIncompleteIsNotValidated(t *testing.T) {
	d := bank()
	d.Fixes[1].Incomplete = []string{"go vet was not run"}
	for form, c := range map[string]struct {
		write func(io.Writer) error
		want  []string
	}{
		"text":   {func(w io.Writer) error { return Text(w, d, TextOptions{}) }, []string{"Mendel: a fix for a data race", "validation incomplete: go vet was not run"}},
		"md":     {func(w io.Writer) error { return Markdown(w, d) }, []string{"validation incomplete"}},
		"github": {func(w io.Writer) error { return GitHub(w, "", d) }, []string{"Mendel%3A fix 2 of 2%2C validation incomplete"}},
		"sarif":  {func(w io.Writer) error { return SARIF(w, "", d) }, []string{"Mendel has 2 fixes, 1 of them with incomplete validation; the best: "}},
	} {
		text := written(t, c.write)
		for _, want := range c.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s does not say %q:\n%s", form, want, text)
			}
		}
		if strings.Contains(text, "2 fixes for") {
			t.Errorf("%s counts it as validated:\n%s", form, text)
		}
	}
}

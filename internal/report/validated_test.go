package report

import (
	"testing"

	"mendel/internal/dossier"
)

func TestValidated(t *testing.T) {
	whole, part := dossier.Fix{}, dossier.Fix{Incomplete: []string{"go vet was not run", "no test"}}
	for want, fixes := range map[string][]dossier.Fix{
		"0 fixes":                      nil,
		"2 fixes":                      {whole, whole},
		"1 fix, validation incomplete": {part},
		"3 fixes, 2 of them with incomplete validation": {whole, part, part},
	} {
		if got := FixCount(fixes); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if n := Validated([]dossier.Fix{whole, part, part}); n != 1 {
		t.Errorf("%d are validated, want 1", n)
	}
	part.Flags = []dossier.Flag{{Name: "nested-lock"}}
	if against := Against(&part); len(against) != 2 || against[0].Words != "go vet was not run; no test" || len(part.Flags) != 1 {
		t.Errorf("against it: %+v", against)
	}
	if against := Against(&whole); len(against) != 0 {
		t.Errorf("against it: %+v", against)
	}
}

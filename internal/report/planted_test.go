package report

import (
	"testing"

	"mendel/validate"
)

func TestPlantedWords(t *testing.T) {
	for _, test := range []struct {
		planted validate.Planted
		want    string
	}{
		{validate.Planted{}, ""},
		{validate.Planted{Left: 2}, "There was no time to find out whether its tests need the 2 guards that it adds."},
		{validate.Planted{Tried: 1}, "Without the guard that it adds a test or a scenario fails."},
		{validate.Planted{Tried: 3, Left: 1}, "Without each of the 3 guards that it adds, taken away one by one, a test or a scenario fails (1 more were not tried for lack of time)."},
		{validate.Planted{Tried: 3, Unnoticed: []string{"a", "b"}}, "Of 3 guards that it adds, taken away one by one, the tests and scenarios do not need 2: a; b."},
	} {
		if got := plantedWords(test.planted); got != test.want {
			t.Errorf("%+v: %q, want %q", test.planted, got, test.want)
		}
	}
}

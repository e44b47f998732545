package importer

import (
	"errors"
	"testing"
)

func TestImport(t *testing.T) {
	im := New()
	im.Import(map[string]string{
		"north": "lamp;12\nchair;4\n",
		"south": "lamp;3\ntable\n",
	})
	if got := im.Stock("lamp"); got != 12 {
		t.Errorf("%d lamps, want 12: the file with the table is malformed", got)
	}
	if errs := im.Errs(); len(errs) != 1 || !errors.Is(errs[0], errMalformed) {
		t.Errorf("refused are %v, want one file", errs)
	}
}

func TestParse(t *testing.T) {
	if r, err := parse("lamp; 12"); err != nil || r != (Record{"lamp", 12}) {
		t.Errorf("the record is %+v, error %v", r, err)
	}
	for _, bad := range []string{"", "lamp", "lamp;many", ";3"} {
		if _, err := parse(bad); !errors.Is(err, errMalformed) {
			t.Errorf("%q: error %v", bad, err)
		}
	}
}

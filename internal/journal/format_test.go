package journal

import (
	"strings"
	"testing"

	"mendel/internal/store"
)

// A run goes on with every Mendel that knows its format, and no other.
func TestFormat(t *testing.T) {
	for stored, known := range map[string]string{
		"34177aeba5f18ac730b8e4e679343655": "", // a hash of the executable: format 1
		"format 2":                         "",
		"format 3":                         "format 3",
		"format 1":                         `"format 1"`,
		"format 02":                        `"format 02"`,
		"":                                 `""`,
	} {
		err := checkFormat("out", stored)
		switch {
		case known == "" && err != nil:
			t.Errorf("%q: %v", stored, err)
		case known != "" && (err == nil || !strings.Contains(err.Error(), known) || !strings.Contains(err.Error(), "formats 1 to 2") || !strings.Contains(err.Error(), "without --resume")):
			t.Errorf("%q: %v, want it refused with both versions", stored, err)
		}
	}
}

// What is stored says in which format it is, and a later one is refused when
// the run is looked up.
func TestLatestFormat(t *testing.T) {
	out := t.TempDir()
	j, _ := journalIn(t, out)
	if p, err := j.Latest(out); err != nil || formatOf(p.run.Mendel) != Format {
		t.Errorf("%+v, %v", p, err)
	}
	if err := j.store.Begin(&store.Run{Mendel: "format 3"}); err != nil {
		t.Fatal(err)
	}
	if _, err := j.Latest(out); err == nil || !strings.Contains(err.Error(), "format 3") {
		t.Errorf("error %v", err)
	}
}

// The format is no reason not to go on; everything else in a fingerprint is.
func TestChangedSince(t *testing.T) {
	before, now := NewFingerprint("go1.26"), NewFingerprint("go1.26")
	before.Others[mendelItself] = "34177aeba5f18ac730b8e4e679343655"
	before.Add("/m", "/m/a.go", []byte("a"))
	now.Add("/m", "/m/a.go", []byte("b"))
	now.Others["GODEBUG"] = "x"
	if got := strings.Join(now.ChangedSince(before), ", "); got != "GODEBUG is new, a.go has changed" {
		t.Errorf("%q", got)
	}
}

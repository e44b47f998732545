package report

import (
	"strings"
	"testing"
)

func TestSeriesPrint(t *testing.T) {
	s := Series{
		Rows: []SeriesRow{
			{Name: "bank", Failures: []string{"data race: read in (*Account).Balance account.go:31, write elsewhere", "deadlock"}, Status: "fixed", Fixed: true, Patches: []string{"out/1-bank/fix-1.patch"}, Seconds: 5.07},
			{Name: "café", Failures: []string{"goroutine blocked"}, Status: "not fixed", Reason: "no edit\nis possible", Patches: []string{"out/2-café/fault-1/fix-1.patch"}, Seconds: 12},
			{Name: "sound", Status: "not reproduced"},
			{Name: "queue", Failures: []string{"\x1b[2Jrace"}, Status: "fixed", Fixed: true, Patches: []string{"out/3-queue/fix-1.patch"}, Seconds: 4},
		},
		Seconds: 61.26, Budget: 600, Untested: 2, Notes: []string{"the fixes of bank and queue both change log.go"},
	}
	var b strings.Builder
	if err := s.Print(&b); err != nil {
		t.Fatal(err)
	}
	want := `package  failure                                                status          patch                           seconds
bank     data race: read in (*Account).Balance account.g~ (+1)  fixed           out/1-bank/fix-1.patch              5.1
café     goroutine blocked                                      not fixed       out/2-café/fault-1/fix-1.patch     12.0
sound    -                                                      not reproduced  -                                     -
queue    ` + oneLine("\x1b[2Jrace") + strings.Repeat(" ", 54-len([]rune(oneLine("\x1b[2Jrace")))) + ` fixed           out/3-queue/fix-1.patch             4.0

4 packages: 2 fixed, 1 not fixed and 1 not reproduced; 1m1.3s of 10m0s.
2 packages without tests left out.
café: not fixed: no edit
  some of its failures are fixed by out/2-café/fault-1/fix-1.patch
note: the fixes of bank and queue both change log.go
`
	if b.String() != want {
		t.Errorf("printed\n%s\nwant\n%s", &b, want)
	}
	if strings.Contains(b.String(), "\x1b") {
		t.Error("an escape sequence of a failure acts on the terminal")
	}
}

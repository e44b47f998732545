package sariftest

import (
	"bytes"
	"strings"
	"testing"

	"mendel/internal/report/sarif"
)

// The schema takes a log, and no other JSON.
func TestCheck(t *testing.T) {
	rule := 0
	var b bytes.Buffer
	log := sarif.New(sarif.Run{Tool: sarif.Named("a <- b"), Results: []sarif.Result{{RuleID: "a", RuleIndex: &rule, Message: sarif.Text{Text: "it fails"}}}})
	if err := log.Write(&b); err != nil {
		t.Fatal(err)
	}
	if err := Check(b.Bytes()); err != nil || !strings.Contains(b.String(), `"a <- b"`) {
		t.Errorf("%v\n%s", err, b.String())
	}
	for _, change := range [][2]string{
		{`"version": "2.1.0"`, `"version": "2.2.0"`}, {`"ruleIndex": 0`, `"ruleIndex": -2`}, {`"ruleId"`, `"ruleID"`}, {`"driver"`, `"drivers"`}, {`{`, `[`},
	} {
		if err := Check(bytes.Replace(b.Bytes(), []byte(change[0]), []byte(change[1]), 1)); err == nil {
			t.Errorf("%s instead of %s is taken", change[1], change[0])
		}
	}
	var empty bytes.Buffer
	if err := sarif.New(sarif.Run{Tool: sarif.Named("a")}).Write(&empty); err != nil || !strings.Contains(empty.String(), `"results": []`) || Check(empty.Bytes()) != nil {
		t.Errorf("without results: %v\n%s", err, empty.String())
	}
}

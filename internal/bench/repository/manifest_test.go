package repository

import (
	"strings"
	"testing"
)

// The embedded manifest can be read, and each bug whose test is ours has one that
// defines it.
func TestManifest(t *testing.T) {
	bugs, err := ReadManifest(nil)
	if err != nil || len(bugs) < 15 {
		t.Fatalf("%d bugs, %v", len(bugs), err)
	}
	for _, b := range bugs {
		if b.OwnTest == "" && len(b.TestFiles) == 0 {
			t.Errorf("%s has no test", b.Name)
		}
		if b.OwnTest == "" {
			continue
		}
		if text, err := b.ownTest(); err != nil || !strings.Contains(string(text), "func "+b.Test+"(t *testing.T)") {
			t.Errorf("%s: the test of ours does not define %s: %v", b.Name, b.Test, err)
		}
	}
	picked, err := ReadManifest([]string{bugs[3].Name, bugs[1].Name})
	if err != nil || len(picked) != 2 || picked[0].Name != bugs[3].Name {
		t.Errorf("picked %v, %v", picked, err)
	}
	if _, err := ReadManifest([]string{"nosuch"}); err == nil || !strings.Contains(err.Error(), bugs[0].Name) {
		t.Errorf("a bug that is not there: %v", err)
	}
}

func TestManifestRefuses(t *testing.T) {
	const good = `{"name": "a", "repo": "o/n", "fix_commit": "HASH", "parent": "HASH", "package": ".", "test": "TestA", "timeout": "1s", "human_fix_files": ["a.go"]}`
	parse := func(entries ...string) error {
		_, err := parseManifest([]byte(strings.ReplaceAll("["+strings.Join(entries, ",")+"]", "HASH", strings.Repeat("0a", 20))))
		return err
	}
	if err := parse(good); err != nil {
		t.Fatal(err)
	}
	if err := parse(good, good); err == nil {
		t.Error("a bug may be there twice")
	}
	for _, change := range [][2]string{
		{`"o/n"`, `"n"`}, {`"o/n"`, `"o/n/x"`}, {`"HASH", "parent"`, `"0a", "parent"`}, {`"1s"`, `"0s"`}, {`"1s"`, `"soon"`},
		{`"TestA"`, `""`}, {`["a.go"]`, `[]`}, {`["a.go"]`, `["../a.go"]`}, {`["a.go"]`, `["/a.go"]`}, {`"."`, `"x/.."`},
		{`"name"`, `"nosuch": 1, "name"`}, {`"name"`, `"own_test": "nosuch", "name"`},
	} {
		if err := parse(strings.Replace(good, change[0], change[1], 1)); err == nil {
			t.Errorf("%s instead of %s is no error", change[1], change[0])
		}
	}
}

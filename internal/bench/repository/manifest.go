package repository

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"
)

//go:embed manifest.json
var manifestText []byte

// ownTests are tests of ours for bugs whose projects have none.
//
//go:embed testdata/*_test.go.txt
var ownTests embed.FS

// ownTestName is the name that a test of ours has in a tree.
const ownTestName = "zz_bug_test.go"

// A Bug is an entry of the manifest.
type Bug struct {
	Name      string   `json:"name"`
	Repo      string   `json:"repo"`       // on GitHub, "owner/name"
	FixCommit string   `json:"fix_commit"` // the human fix
	Parent    string   `json:"parent"`     // the faulty tree
	Package   string   `json:"package"`    // directory in the tree
	Test      string   `json:"test"`       // top-level, that shows the bug
	TestFiles []string `json:"test_files"` // in the tree, taken from the human fix
	OwnTest   string   `json:"own_test"`   // file in testdata; "": the test is the project's
	Race      bool     `json:"race"`       // the test needs the race detector
	Timeout   string   `json:"timeout"`    // of a run of the test, "30s"
	GoMod     []string `json:"go_mod"`     // lines of a go.mod; none: the tree has one
	Remove    []string `json:"remove"`     // paths that do not build today and play no part

	Kind          string   `json:"kind"`
	Description   string   `json:"description"`
	Notes         string   `json:"notes"`
	HumanFixFiles []string `json:"human_fix_files"` // that the human fix changes, tests left out
	HumanLines    int      `json:"human_changed_lines"`
	PackageLines  int      `json:"package_lines"`
}

// Pattern is the package for the go command.
func (b Bug) Pattern() string {
	if b.Package == "." {
		return "."
	}
	return "./" + b.Package
}

// RunPattern matches the bug's test alone.
func (b Bug) RunPattern() string { return "^" + b.Test + "$" }

// TestTimeout is the limit of one run of the test.
func (b Bug) TestTimeout() time.Duration {
	d, _ := time.ParseDuration(b.Timeout) // check has parsed it
	return d
}

// ReadManifest reads the bugs, all of them or those named.
func ReadManifest(only []string) ([]Bug, error) {
	all, err := parseManifest(manifestText)
	if err != nil || len(only) == 0 {
		return all, err
	}
	var picked []Bug
	for _, name := range only {
		i := slices.IndexFunc(all, func(b Bug) bool { return b.Name == name })
		if i < 0 {
			var names []string
			for _, b := range all {
				names = append(names, b.Name)
			}
			return nil, fmt.Errorf("no bug %s in the manifest; there are %s", name, strings.Join(names, ", "))
		}
		picked = append(picked, all[i])
	}
	return picked, nil
}

// parseManifest reads a manifest and refuses what cannot be prepared.
func parseManifest(text []byte) ([]Bug, error) {
	var bugs []Bug
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&bugs); err != nil {
		return nil, fmt.Errorf("read the manifest of bugs: %w", err)
	}
	seen := map[string]bool{}
	for _, b := range bugs {
		if err := b.check(); err != nil {
			return nil, fmt.Errorf("manifest of bugs: %s: %w", b.Name, err)
		}
		if seen[b.Name] {
			return nil, fmt.Errorf("manifest of bugs: %s is there twice", b.Name)
		}
		seen[b.Name] = true
	}
	return bugs, nil
}

// check refuses a bug that cannot be prepared.
func (b Bug) check() error {
	if owner, name, ok := strings.Cut(b.Repo, "/"); !ok || owner == "" || name == "" || strings.Contains(name, "/") {
		return fmt.Errorf("repo %q is not owner/name", b.Repo)
	}
	for _, commit := range []string{b.FixCommit, b.Parent} {
		if len(commit) != 40 || strings.Trim(commit, "0123456789abcdef") != "" {
			return fmt.Errorf("%q is no full hash of a commit", commit)
		}
	}
	if d, err := time.ParseDuration(b.Timeout); err != nil || d <= 0 {
		return fmt.Errorf("timeout %q is no positive duration", b.Timeout)
	}
	if b.Name == "" || b.Test == "" || len(b.HumanFixFiles) == 0 {
		return fmt.Errorf("name, test and human_fix_files are needed")
	}
	for _, p := range slices.Concat([]string{b.Package}, b.TestFiles, b.Remove, b.HumanFixFiles) {
		if p != path.Clean(p) || path.IsAbs(p) || strings.HasPrefix(p, "..") {
			return fmt.Errorf("%q is no path in the tree", p)
		}
	}
	if b.OwnTest == "" {
		return nil
	}
	_, err := b.ownTest()
	return err
}

// ownTest is the text of our test for the bug.
func (b Bug) ownTest() ([]byte, error) { return ownTests.ReadFile("testdata/" + b.OwnTest) }

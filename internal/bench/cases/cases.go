package cases

import (
	"cmp"
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/txtar"

	"mendel/analysis/evidence"
	"mendel/internal/bench/programs"
)

//go:embed testdata
var archives embed.FS

// truthDir is where an archive has what a repair must not see.
const truthDir = "truth/"

// ownTestsPass stands above a wrong patch that the program's own tests do not refuse.
const ownTestsPass = "own tests pass"

// A Program is a module with a bug, and what is known about it.
type Program struct {
	Name     string
	Set      string // "small", "modules", "libraries"
	Kind     string // of the bug, in a few words
	What     string // the bug, in sentences
	Files    map[string]string
	Truth    []Patch          // the right ones first
	Faults   []evidence.Fault // names of the bug, any of which is right; none: nobody has said
	Judge    string           // tests that show more of the bug than its own; "": none
	JudgeDir string           // the directory of its package, below the module's; "": that one
}

// A Patch is one of which it is known whether it is right.
type Patch struct {
	Name   string // "fix", "alt/order", "wrong/half"
	Text   string // as git applies it in the module, perhaps with words above it
	Right  bool
	Passes bool // it is wrong, and the program's own tests pass: only reading or other tests tell
}

// Read reads the programs of some sets with some names; none: all.
func Read(sets, names []string) ([]Program, error) {
	var all []Program
	err := fs.WalkDir(archives, "testdata", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := archives.ReadFile(name)
		if err != nil {
			return err
		}
		p, err := Parse(path.Base(path.Dir(name)), strings.TrimSuffix(path.Base(name), ".txtar"), text)
		all = append(all, p)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read the programs: %w", err)
	}
	if len(sets) > 0 {
		known := slices.Clone(all)
		all = slices.DeleteFunc(all, func(p Program) bool { return !slices.Contains(sets, p.Set) })
		for _, s := range sets {
			if !slices.ContainsFunc(known, func(p Program) bool { return p.Set == s }) {
				return nil, fmt.Errorf("--sets %s: there is no set %s", strings.Join(sets, ","), s)
			}
		}
	}
	return programs.Only(all, func(p Program) string { return p.Name }, names)
}

// Parse reads an archive.
func Parse(set, name string, text []byte) (Program, error) {
	a := txtar.Parse(text)
	kind, what, _ := strings.Cut(strings.TrimSpace(string(a.Comment)), "\n")
	p := Program{Name: name, Set: set, Kind: kind, What: strings.TrimSpace(what), Files: map[string]string{}}
	for _, f := range a.Files {
		rest, hidden := strings.CutPrefix(f.Name, truthDir)
		patch, isPatch := strings.CutSuffix(rest, ".patch")
		judgeDir, judges := strings.CutSuffix(rest, "judge_test.go")
		switch {
		case !hidden:
			p.Files[f.Name] = string(f.Data)
		case isPatch:
			wrong, why := strings.HasPrefix(patch, "wrong/"), strings.SplitN(string(f.Data), "\n--- ", 2)[0]
			p.Truth = append(p.Truth, Patch{Name: patch, Text: string(f.Data), Right: !wrong, Passes: wrong && strings.Contains(why, ownTestsPass)})
		case rest == "faults":
			for line := range strings.Lines(string(f.Data)) {
				fault := evidence.Fault(strings.TrimSpace(line))
				if fault.Doc() == "" {
					return p, fmt.Errorf("%s: there is no fault %q", name, fault)
				}
				p.Faults = append(p.Faults, fault)
			}
		case judges:
			p.Judge, p.JudgeDir = string(f.Data), strings.TrimSuffix(judgeDir, "/")
		default:
			return p, fmt.Errorf("%s: what is %s?", name, f.Name)
		}
	}
	if p.Files["go.mod"] == "" || len(p.Truth) == 0 || p.Truth[0].Name != "fix" {
		return p, fmt.Errorf("%s: it needs a go.mod and %sfix.patch, before other patches", name, truthDir)
	}
	slices.SortStableFunc(p.Truth, func(a, b Patch) int { return cmp.Compare(rank(a), rank(b)) })
	return p, nil
}

// Package is the package that the fix changes first, as the go command is given it in the module: ".", "./pool".
func (p Program) Package() string {
	for line := range strings.Lines(p.Truth[0].Text) {
		if name, ok := strings.CutPrefix(line, "--- a/"); ok {
			if dir := path.Dir(strings.Fields(name)[0]); dir != "." {
				return "./" + dir
			}
			break
		}
	}
	return "."
}

func rank(p Patch) int {
	if p.Right {
		return 0
	}
	return 1
}

// Write writes the module, without what is known about it, to a new directory.
func (p Program) Write(dir string) error {
	for name, text := range p.Files {
		if err := writeFile(filepath.Join(dir, filepath.FromSlash(name)), text); err != nil {
			return fmt.Errorf("write %s: %w", p.Name, err)
		}
	}
	return nil
}

func writeFile(name, text string) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	return os.WriteFile(name, []byte(text), 0o666)
}

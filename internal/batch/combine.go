package batch

import (
	"context"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/aymanbagabas/go-udiff"

	"mendel/internal/dossier"
	"mendel/internal/gotool"
	"mendel/internal/report"
	"mendel/internal/result"
)

// combinedName is the file of a combination in the output directory. A series of
// several modules has one for each, with a number.
const combinedName = "all%s.patch"

// checkTime is the time to find out whether the fixes of a combination build
// together.
const checkTime = 2 * time.Minute

// A Combination is one patch of the best fixes of several packages of a module, each
// of which was validated by itself.
type Combination struct {
	Dir   string   `json:"dir"`             // of go.mod
	Patch string   `json:"patch,omitempty"` // file in the output directory; "": there is none
	Of    []string `json:"of"`              // import paths of the packages whose fixes it has
	// LeftOut are packages whose fixes cannot be part of it, and Problem says why
	// there is no patch, or not of all.
	LeftOut []string `json:"leftOut,omitempty"`
	Problem string   `json:"problem,omitempty"`
}

// A merge is several fixes of a module made one.
type merge struct {
	dir     string
	files   map[string]*mergedFile
	of      []member
	leftOut []member
}

// A member is a package with what its best fix changes.
type member struct {
	Package
	files []dossier.File
	why   string // it is left out; "": it is not
}

// A mergedFile is what fixes make of a file.
type mergedFile struct {
	before string
	edits  []udiff.Edit
	by     []string // packages
}

func newMerge(dir string, members ...member) *merge {
	m := &merge{dir: dir, files: map[string]*mergedFile{}}
	for _, p := range members {
		m.add(p)
	}
	return m
}

// add makes a fix part of a merge, or leaves it out and says why.
func (m *merge) add(p member) {
	merged := map[string]*mergedFile{}
	for _, f := range p.files {
		known := m.files[f.Path]
		if known == nil {
			known = &mergedFile{before: f.Before}
		}
		if known.before != f.Before {
			m.leave(p, fmt.Sprintf("it was made for another version of %s than the fix of %s", f.Path, report.List(known.by)))
			return
		}
		edits, ok := join(known.edits, udiff.Lines(f.Before, f.After))
		if !ok {
			m.leave(p, fmt.Sprintf("it changes the same lines of %s as the fix of %s", f.Path, report.List(known.by)))
			return
		}
		merged[f.Path] = &mergedFile{f.Before, edits, append(slices.Clone(known.by), p.Path)}
	}
	maps.Copy(m.files, merged)
	m.of = append(m.of, p)
}

func (m *merge) leave(p member, why string) {
	p.why = why
	m.leftOut = append(m.leftOut, p)
}

// join makes one list of two lists of edits of one text, each in order. Ok is false
// where two edits touch, unless they are the same.
func join(a, b []udiff.Edit) (all []udiff.Edit, ok bool) {
	for _, x := range a {
		for _, y := range b {
			if x != y && x.Start <= y.End && y.Start <= x.End {
				return nil, false
			}
		}
	}
	all = slices.Clone(a)
	for _, y := range b {
		if !slices.Contains(a, y) {
			all = append(all, y)
		}
	}
	udiff.SortEdits(all)
	return all, true
}

// result are the changes, sorted by file. The error says that what comes out is
// no Go.
func (m *merge) result() ([]dossier.File, error) {
	var out []dossier.File
	for _, name := range slices.Sorted(maps.Keys(m.files)) {
		f := m.files[name]
		after, err := udiff.Apply(f.before, f.edits)
		if err != nil {
			return nil, fmt.Errorf("combine the changes of %s: %w", name, err)
		}
		if strings.HasSuffix(name, ".go") {
			if _, err := parser.ParseFile(token.NewFileSet(), name, after, parser.SkipObjectResolution); err != nil {
				return nil, fmt.Errorf("the fixes make no Go of %s together: %w", name, err)
			}
		}
		out = append(out, dossier.File{Path: name, Before: f.before, After: after})
	}
	return out, nil
}

// merges combines the best fixes of packages, in their order, module by module. A
// fix that is part of another's is not asked for.
func (s *Series) merges(packages []Package) ([]*merge, error) {
	var all []*merge
	var problems error
	for _, p := range packages {
		if p.Within != "" {
			continue
		}
		d, err := dossier.Read(filepath.Join(s.out, filepath.FromSlash(p.Out)))
		if err == nil && len(d.Fixes) == 0 {
			err = fmt.Errorf("the dossier of %s has no fix", p.Out)
		}
		if err != nil {
			problems = errors.Join(problems, fmt.Errorf("read the fix of %s: %w", p.Path, err))
			continue
		}
		at := slices.IndexFunc(all, func(m *merge) bool { return m.dir == d.Dir })
		if at < 0 {
			at = len(all)
			all = append(all, newMerge(d.Dir))
		}
		all[at].add(member{Package: p, files: d.Fixes[0].Files})
	}
	return all, problems
}

// combine writes one patch of all fixes of a module, where there are several, or
// says why there is none.
func (r *run) combine(ctx context.Context) error {
	s := r.series
	s.Combined = nil
	if s.out == "" {
		return nil
	}
	if err := result.Remove(s.out, fmt.Sprintf(combinedName, "*")); err != nil {
		return err
	}
	var fixed []Package
	for _, p := range s.Packages {
		if p.Status == result.Fixed {
			fixed = append(fixed, p)
		}
	}
	merges, err := s.merges(fixed)
	if err != nil {
		return nil // without a dossier there is no report that could offer it
	}
	for i, m := range merges {
		if len(m.of)+len(m.leftOut) < 2 {
			continue // its own patch will do
		}
		number := ""
		if len(merges) > 1 {
			number = fmt.Sprintf("-%d", i+1)
		}
		c, err := r.combination(ctx, m, fmt.Sprintf(combinedName, number))
		if err != nil {
			return err
		}
		s.Combined = append(s.Combined, c)
	}
	return nil
}

// combination writes the patch of a merge, if what comes out builds.
func (r *run) combination(ctx context.Context, m *merge, name string) (Combination, error) {
	c := Combination{Dir: m.dir, LeftOut: paths(m.leftOut)}
	var why []string
	for _, p := range m.leftOut {
		why = append(why, fmt.Sprintf("the fix of %s is left out: %s", p.Path, p.why))
	}
	c.Problem = strings.Join(why, "; ")
	files, err := m.result()
	if err == nil {
		err = r.builds(ctx, m, files)
	}
	if err != nil {
		c.LeftOut, c.Problem = append(c.LeftOut, paths(m.of)...), err.Error()
		return c, nil
	}
	c.Patch, c.Of = name, paths(m.of)
	var changes []report.Change
	for _, f := range files {
		changes = append(changes, report.Change{Path: f.Path, Before: []byte(f.Before), After: []byte(f.After)})
	}
	text := report.Mail(changes, m.message(), time.Time{})
	if err := gotool.WriteFile(filepath.Join(r.series.out, name), text); err != nil {
		return c, fmt.Errorf("save the patch of all packages: %w", err)
	}
	return c, nil
}

// message explains the patch of a merge.
func (m *merge) message() string {
	text := fmt.Sprintf("Fix concurrency failures in %d packages\n\n", len(m.of))
	for _, p := range m.of {
		why := ""
		if len(p.Failures) > 0 {
			why = ": " + p.Failures[0]
		}
		text += report.Wrap(report.OneLine(p.Path+why), report.ProseWidth, "  * ", "    ")
	}
	return text + "\n" + report.Wrap(report.Applies, report.ProseWidth, "", "")
}

// paths are the import paths of packages.
func paths(of []member) []string {
	var all []string
	for _, p := range of {
		all = append(all, p.Path)
	}
	return all
}

// builds is nil if the tests of all packages of a merge build with it.
func (r *run) builds(ctx context.Context, m *merge, files []dossier.File) error {
	if len(m.of) < 2 {
		return nil // it was validated as it is
	}
	ctx, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	overlay := gotool.Overlay{}
	for _, f := range files {
		overlay[result.InModule(m.dir, f.Path)] = []byte(f.After)
	}
	err := r.check(ctx, m.dir, overlay, paths(m.of))
	switch refused := (*gotool.BuildError)(nil); {
	case err == nil:
		return nil
	case errors.As(err, &refused) && ctx.Err() == nil:
		return fmt.Errorf("the fixes do not build together: %w", refused)
	case ctx.Err() != nil:
		return errors.New("there was no time to see whether the fixes build together")
	default:
		return fmt.Errorf("see whether the fixes build together: %w", err)
	}
}

// vetOne is an analysis of go vet that has next to nothing to say: what is wanted
// is that everything, the tests too, is type-checked.
const vetOne = "-directive"

// typeCheck checks packages and their tests with files replaced.
func (r *run) typeCheck(ctx context.Context, dir string, files gotool.Overlay, packages []string) error {
	tool, err := gotool.Open(ctx, dir)
	if err != nil {
		return err
	}
	flags := append(result.BuildFlags(r.o.Tags, r.o.Flags), vetOne)
	return tool.Vet(ctx, gotool.BuildOptions{Flags: flags, Overlay: files}, packages...)
}

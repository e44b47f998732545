package instrument

import (
	"maps"
	"regexp"
	"strings"

	"mendel/analysis"
	"mendel/checker/incremental"
	"mendel/internal/gotool"
	"mendel/internal/rewrite/schema"
)

// A Schema is several programs in one executable, see package schema.
type Schema struct {
	*schema.Schema
	Overlay gotool.Overlay
	Points  []*incremental.Points // by program, with the schema's numbers; nil: it has no marks, or does not fit

	by       *Instrumenter
	restored map[string]bool // variables that are restored, and the original does not write
}

// pointMark is the end of a mark of a point.
var pointMark = regexp.MustCompile(`\.Reached\[(\d+)\] = 1;`)

// Schema combines programs; nil is one that does not compile. The first function texts of
// the executable are those of base, one of the programs; nil: the original's. The error is for
// what is wrong with all of them.
func (in *Instrumenter) Schema(base *Rewritten, programs []*Rewritten) (*Schema, error) {
	var based *schema.Program
	if base != nil {
		based = in.ofSchema(base)
	}
	pkgs, files := schema.Based(in.program.Packages, based)
	var united *Rewritten
	restored := map[string]bool{}
	src := schema.Source{
		Packages: pkgs,
		Unite: func(added map[string][]byte, some []int) (p *schema.Program, err error) {
			others, restoring := in.others(programs, some, pkgs)
			for _, f := range others {
				maps.Copy(restored, f.globals)
			}
			maps.Copy(restoring, files)
			maps.Copy(restoring, added)
			if united, err = in.rewriteWith(restoring, others); err != nil {
				return nil, err
			}
			return in.ofSchema(united), nil
		},
		Tokens:   rewrittenTokens,
		Shared:   isReset,
		Mark:     pointMark,
		MaxMarks: incremental.MaxPoints,
	}
	all := make([]*schema.Program, len(programs))
	for i, p := range programs {
		if p != nil {
			all[i] = in.ofSchema(p)
		}
	}
	s, err := schema.New(src, all)
	if err != nil {
		return nil, err
	}
	combined := &Schema{Schema: s, Points: make([]*incremental.Points, len(programs)), by: in, restored: restored}
	if s.Fitting() == 0 {
		return combined, nil
	}
	combined.Overlay = maps.Clone(united.Overlay)
	maps.Copy(combined.Overlay, s.Files)
	for i, m := range s.Members {
		if m != nil && m.Marks != nil {
			combined.Points[i] = programs[i].Points.Renumbered(m.Marks, s.Marks)
		}
	}
	return combined, nil
}

// Member finds a further program in the schema, see [schema.Schema.Member]; nil: it is not all
// there.
func (s *Schema) Member(in *Instrumenter, p *Rewritten) (*schema.Member, *incremental.Points) {
	if in != s.by || !s.restores(p) {
		return nil, nil
	}
	m := s.Schema.Member(in.ofSchema(p))
	if m == nil || m.Marks == nil {
		return m, nil
	}
	return m, p.Points.Renumbered(m.Marks, s.Marks)
}

// restores reports whether all package variables that a program writes are restored between
// executions.
func (s *Schema) restores(p *Rewritten) bool {
	for path, own := range p.facts {
		for v := range own.globals {
			if !s.by.facts[path].globals[v] && !s.restored[v] {
				return false
			}
		}
	}
	return true
}

// ofSchema is a program as package schema takes it.
func (in *Instrumenter) ofSchema(r *Rewritten) *schema.Program {
	r.compared.Do(func() { r.comparable = in.comparable(r) })
	return r.comparable
}

func (in *Instrumenter) comparable(r *Rewritten) *schema.Program {
	p := &schema.Program{
		Packages: r.packages,
		Text:     func(f *analysis.File) []byte { return r.textOf(f, in.fileName(f.Package, f.Name)) },
		Marked:   r.Points != nil,
	}
	if p.Marked {
		p.Marks = r.Points.Len()
	}
	return p
}

// isReset reports whether a declaration restores variables: it is of the schema, not of
// its programs.
func isReset(key string) bool { return strings.HasPrefix(key, "func zzreset") }

// others are what is known of the programs that write package variables which the original
// does not write, and the files of the packages that have these: the variables have to be
// restored between executions.
func (in *Instrumenter) others(programs []*Rewritten, some []int, pkgs []*analysis.Package) (others []*facts, files map[string][]byte) {
	files = map[string][]byte{}
	for _, i := range some {
		for path, own := range programs[i].facts {
			known := in.facts[path]
			for v := range own.globals {
				if !known.globals[v] {
					others = append(others, own)
					asTheyAre(pkgs, path, files)
					break
				}
			}
		}
	}
	return others, files
}

// asTheyAre adds the files of a package.
func asTheyAre(pkgs []*analysis.Package, path string, files map[string][]byte) {
	for _, pkg := range pkgs {
		if pkg.Path == path {
			for _, f := range pkg.Files {
				files[f.Name] = f.Source
			}
		}
	}
}

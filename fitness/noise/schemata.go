package noise

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync/atomic"

	"mendel/analysis"
	"mendel/internal/gotool"
	"mendel/internal/rewrite"
	"mendel/internal/rewrite/schema"
	"mendel/internal/rewrite/variant"
)

// BuildAll builds several programs, each the original with some files replaced, noised, in
// one executable (see package schema): that costs little more than building one. A program
// that only combines functions of programs which were built so before needs no build. A program
// that does not fit, or that the compiler refuses, has no binary (nil) and no error: Build
// builds it alone, and says what is wrong with it. The error is ctx's, or of what could not
// be run at all.
func (h *Harness) BuildAll(ctx context.Context, sets []map[string][]byte) ([]*Binary, error) {
	built := make([]*Binary, len(sets))
	if !h.source.isTyped() {
		return built, nil
	}
	programs := make([]*schema.Program, len(sets))
	var missing []int
	for i, files := range sets {
		if programs[i] = h.source.program(files); programs[i] == nil {
			continue
		}
		if built[i] = h.combined(programs[i]); built[i] == nil {
			missing = append(missing, i)
			continue
		}
		h.builds.Add(1, 0)
		h.builds.Variants(1)
	}
	for some := range slices.Chunk(missing, schema.MaxMembers) {
		for range schema.MostTries {
			var err error
			if some, err = h.buildSchema(ctx, programs, some, built); err != nil {
				return built, err
			}
		}
	}
	return built, nil
}

// buildSchema builds one executable of some programs, without those that the compiler refuses,
// and returns those that do not fit into it.
func (h *Harness) buildSchema(ctx context.Context, programs []*schema.Program, some []int, built []*Binary) (unfit []int, err error) {
	for len(some) > 1 {
		members := make([]*schema.Program, len(some))
		for n, i := range some {
			members[n] = programs[i]
		}
		s, overlay, err := h.source.schema(members)
		if err != nil || s.Fitting() < 2 {
			return nil, ctx.Err()
		}
		path, err := h.link(ctx, overlay)
		refused := (*gotool.BuildError)(nil)
		if err == nil {
			h.builds.Add(s.Fitting(), 0)
			h.builds.Variants(s.Fitting())
			users := &atomic.Int64{}
			for n, i := range some {
				m := s.Members[n]
				if m == nil {
					unfit = append(unfit, i)
					continue
				}
				users.Add(1)
				built[i] = &Binary{path: path, member: m, users: users}
			}
			users.Add(1)
			return unfit, h.keep(&keptSchema{s, &Binary{path: path, users: users}})
		}
		if !errors.As(err, &refused) {
			return nil, err
		}
		blameless, ok := s.Blameless(refused)
		if !ok {
			return nil, ctx.Err()
		}
		rest := make([]int, len(blameless))
		for at, n := range blameless {
			rest[at] = some[n]
		}
		some = rest
	}
	return nil, ctx.Err()
}

// A keptSchema is a schema that was built, for programs that combine its variants.
type keptSchema struct {
	schema *schema.Schema
	binary *Binary // keeps the file
}

// keep keeps a schema that was built, and no longer the oldest if there are too many.
func (h *Harness) keep(s *keptSchema) error {
	if oldest, full := h.kept.Add(s); full {
		return oldest.binary.Close()
	}
	return nil
}

// combined is a binary of a program whose variants are all in a schema that is kept; nil: they
// are not.
func (h *Harness) combined(p *schema.Program) (b *Binary) {
	h.kept.Find(func(s *keptSchema) bool {
		if m := s.schema.Member(p); m != nil {
			s.binary.users.Add(1)
			b = &Binary{path: s.binary.path, member: m, users: s.binary.users}
		}
		return b != nil
	})
	return b
}

// link builds an executable with hooks and says where it is.
func (h *Harness) link(ctx context.Context, overlay gotool.Overlay) (path string, err error) {
	release, err := h.acquire(ctx)
	if err != nil {
		return "", err
	}
	defer release()
	defer h.builds.Begin()()
	o := h.options()
	h.builds.Add(0, 1)
	if err := h.noisedOptions(ctx, &o); err != nil {
		return "", err
	}
	o.Overlay = overlay
	return o.Output, h.c.Tool.BuildTest(ctx, o)
}

// isTyped reports whether the types of all files are there.
func (s *source) isTyped() bool {
	for _, f := range s.files {
		if f.AST == nil || f.Package.Info == nil {
			return false
		}
	}
	return true
}

// program is the program with some files replaced, as package schema takes it; nil: it
// does not compile, or has a file that the original has not.
func (s *source) program(files map[string][]byte) *schema.Program {
	fset, checked := s.checked(files)
	if checked == nil {
		return nil
	}
	p := &schema.Program{Packages: map[string]*analysis.Package{}}
	for _, pkg := range s.original.Packages {
		p.Packages[pkg.Path] = pkg
	}
	texts := map[*analysis.File][]byte{}
	for name, f := range checked {
		p.Packages[f.Package.Path] = f.Package
		texts[f] = f.Source
		if !s.isRefused(s.files[name]) {
			texts[f] = s.hooked(fset, f)
		}
	}
	p.Text = func(f *analysis.File) []byte {
		if text, ok := texts[f]; ok {
			return text
		}
		if s.isRefused(f) {
			return f.Source
		}
		return s.overlay[f.Name]
	}
	return p
}

// isRefused reports whether a file does not compile with hooks.
func (s *source) isRefused(f *analysis.File) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.refused[f.Name]
}

// schema combines programs.
func (s *source) schema(programs []*schema.Program) (*schema.Schema, gotool.Overlay, error) {
	var overlay gotool.Overlay
	combined, err := schema.New(schema.Source{
		Packages: s.original.Packages,
		Unite: func(files map[string][]byte, _ []int) (*schema.Program, error) {
			p := s.program(files)
			if p == nil {
				return nil, &gotool.BuildError{Output: "the additions of several programs do not compile together"}
			}
			overlay = s.noised(files)
			return p, nil
		},
		Tokens: rewrite.Lexemes,
	}, programs)
	if err != nil {
		return nil, nil, err
	}
	maps.Copy(overlay, combined.Files)
	return combined, overlay, rewrite.PlantVariant(overlay, s.goroot)
}

// variants is what a process of the binary has in its environment besides.
func (b *Binary) variants() []string {
	if b.member == nil {
		return nil
	}
	return []string{fmt.Sprintf("%s=%s", variant.Env, variant.Format(b.member.Choices))}
}

// original is an output as a build of the program alone would have printed it.
func (b *Binary) original(output []byte) []byte {
	if b.member == nil {
		return output
	}
	return []byte(b.member.Text(string(output)))
}

package noise

import (
	"cmp"
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
	b := &batch{h: h, programs: make([]*schema.Program, len(sets)), built: make([]*Binary, len(sets)), why: make([]string, len(sets))}
	if !h.source.isTyped() {
		return b.built, nil
	}
	var missing []int
	for i, files := range sets {
		if b.programs[i] = h.source.program(files); b.programs[i] == nil {
			continue
		}
		if b.built[i] = h.combined(b.programs[i]); b.built[i] == nil {
			missing = append(missing, i)
			continue
		}
		h.builds.Variants(1)
	}
	for some := range slices.Chunk(missing, schema.MaxMembers) {
		if err := schema.Groups(some, func(some []int, based bool) ([]int, error) { return b.schema(ctx, some, based) }); err != nil {
			return b.built, err
		}
	}
	for _, i := range missing {
		if b.built[i] == nil && ctx.Err() == nil {
			h.builds.Alone(cmp.Or(b.why[i], schema.Single))
		}
	}
	return b.built, nil
}

// A batch is programs that are built together.
type batch struct {
	h        *Harness
	programs []*schema.Program // nil: it does not compile
	built    []*Binary
	why      []string // a program does not share an executable; "": nobody was there to share it with
}

// schema builds one executable of some programs, without those that the compiler refuses,
// and returns those that do not fit into it. Based: its original is the first of them.
func (b *batch) schema(ctx context.Context, some []int, based bool) (unfit []int, err error) {
	h := b.h
	var base *schema.Program
	if based {
		base = b.programs[some[0]]
	}
	for len(some) > 1 {
		members := make([]*schema.Program, len(some))
		for n, i := range some {
			members[n] = b.programs[i]
		}
		s, overlay, err := h.source.schema(base, members)
		if err != nil {
			return nil, ctx.Err()
		}
		b.causes(some, s)
		if s.Fitting() < 2 {
			return some, ctx.Err()
		}
		path, err := h.link(ctx, overlay)
		refused := (*gotool.BuildError)(nil)
		if err == nil {
			h.builds.Variants(s.Fitting())
			users := &atomic.Int64{}
			for n, i := range some {
				m := s.Members[n]
				if m == nil {
					unfit = append(unfit, i)
					continue
				}
				users.Add(1)
				b.built[i] = &Binary{path: path, member: m, users: users}
			}
			users.Add(1)
			return unfit, h.keep(&keptSchema{s, &Binary{path: path, users: users}})
		}
		if !errors.As(err, &refused) {
			return nil, err
		}
		blameless, ok := s.Blameless(refused)
		for n, i := range some {
			if s.Members[n] != nil && !(ok && slices.Contains(blameless, n)) {
				b.why[i] = schema.Refused
			}
		}
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

// causes notes why programs do not fit into a schema.
func (b *batch) causes(some []int, s *schema.Schema) {
	for n, i := range some {
		if s.Members[n] == nil && s.Why[n] != "" && b.why[i] == "" {
			b.why[i] = schema.Cause(s.Why[n])
		}
	}
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
	o.Once = true
	h.builds.Linked(cmp.Or(h.c.For, "noise") + ", variants")
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
	if s.rewrite != nil {
		for _, f := range checked {
			p.Packages[f.Package.Path] = f.Package
		}
		overlay := s.rewritten(files)
		p.Text = func(f *analysis.File) []byte { return overlay[f.Name] }
		return p
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

// united is the overlay of the program with some files replaced, for others to be added.
func (s *source) united(files map[string][]byte) gotool.Overlay {
	if s.rewrite != nil {
		return s.rewritten(files)
	}
	return s.noised(files)
}

// rewritten is noised for a program that is rewritten before: what operations are is told by
// names then, as its text has no types.
func (s *source) rewritten(files map[string][]byte) gotool.Overlay {
	texts, needs := s.rewrite(files)
	o := maps.Clone(s.hooks)
	maps.Copy(o, needs)
	for name, f := range s.files {
		text, ok := texts[name]
		if !ok {
			text, ok = files[name]
		}
		if !ok {
			text = f.Source
		}
		o[name] = s.guessed(f, text)
	}
	return o
}

// isRefused reports whether a file does not compile with hooks.
func (s *source) isRefused(f *analysis.File) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.refused[f.Name]
}

// schema combines programs. The first function texts of the executable are those of base, one
// of the programs; nil: the original's.
func (s *source) schema(base *schema.Program, programs []*schema.Program) (*schema.Schema, gotool.Overlay, error) {
	pkgs, own := schema.Based(s.original.Packages, base)
	var overlay gotool.Overlay
	combined, err := schema.New(schema.Source{
		Packages: pkgs,
		Unite: func(added map[string][]byte, _ []int) (*schema.Program, error) {
			files := maps.Clone(own)
			maps.Copy(files, added)
			p := s.program(files)
			if p == nil {
				return nil, &gotool.BuildError{Output: "the additions of several programs do not compile together"}
			}
			overlay = s.united(files)
			return p, nil
		},
		Tokens: rewrite.Lexemes,
	}, programs)
	if err != nil || combined.Fitting() < 2 {
		return combined, nil, err
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

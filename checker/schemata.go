package checker

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync/atomic"

	"mendel/checker/incremental"
	"mendel/checker/instrument"
	"mendel/checker/wire"
	"mendel/internal/gotool"
	"mendel/internal/rewrite/schema"
	"mendel/internal/rewrite/variant"
)

// errNoSchema says that too few programs fit into a schema to make one.
var errNoSchema = errors.New("no two programs fit into a schema")

// schemata builds the programs that fit into schemata, see package schema, but for those that
// were built, or only combine functions of programs which were built so before. Those that do not fit
// have no binary yet.
func (b *batch) schemata(ctx context.Context) {
	var missing []int
	for i, p := range b.programs {
		if b.built[i].Err != nil {
			continue
		}
		if b.built[i].Binary = b.c.known(b.sets[i], p); b.built[i].Binary == nil {
			missing = append(missing, i)
		}
	}
	for some := range slices.Chunk(missing, schema.MaxMembers) {
		_ = schema.Groups(some, func(some []int, based bool) ([]int, error) { // it has no error
			return b.schema(ctx, some, based), nil
		})
	}
}

// schema builds one executable of some programs, without those that the compiler refuses, and
// returns those that do not fit into it. Based: its original is the first of them.
func (b *batch) schema(ctx context.Context, some []int, based bool) (unfit []int) {
	var base *instrument.Rewritten
	if based {
		base = b.programs[some[0]]
	}
	for len(some) > 1 && ctx.Err() == nil {
		combined, path, err := b.linkSchema(ctx, base, some)
		b.causes(some, combined)
		if errors.Is(err, errNoSchema) {
			return some
		}
		if err == nil {
			users := b.shareSchema(some, combined, path)
			b.c.keep(&keptSchema{combined, &Binary{checker: b.c, path: path, users: users}})
			return slices.DeleteFunc(some, func(i int) bool { return b.built[i].Binary != nil })
		}
		refused := (*gotool.BuildError)(nil)
		if combined == nil || !errors.As(err, &refused) {
			return nil
		}
		blameless, ok := combined.Blameless(refused)
		for at, i := range some {
			if combined.Members[at] != nil && !(ok && slices.Contains(blameless, at)) {
				b.why[i] = schema.Refused
			}
		}
		if !ok {
			return nil
		}
		rest := make([]int, len(blameless))
		for at, n := range blameless {
			rest[at] = some[n]
		}
		some = rest
	}
	return nil
}

// causes notes why programs do not fit into a schema; nil: there is none.
func (b *batch) causes(some []int, combined *instrument.Schema) {
	if combined == nil {
		return
	}
	for at, i := range some {
		if combined.Members[at] == nil && combined.Why[at] != "" && b.why[i] == "" {
			b.why[i] = schema.Cause(combined.Why[at])
		}
	}
}

// linkSchema builds the executable of a schema.
func (b *batch) linkSchema(ctx context.Context, base *instrument.Rewritten, some []int) (schema *instrument.Schema, path string, err error) {
	c := b.c
	release, err := c.acquire(ctx)
	if err != nil {
		return nil, "", err
	}
	defer release()
	defer c.builds.Begin()()
	programs := make([]*instrument.Rewritten, len(some))
	for n, i := range some {
		programs[n] = b.programs[i]
	}
	if schema, err = c.instrumenter().Schema(base, programs); err != nil {
		return nil, "", err
	}
	if schema.Fitting() < 2 {
		return schema, "", errNoSchema
	}
	path = c.newName()
	o := c.options(c.c.Program.Target.Package, schema.Overlay, path)
	o.Once = true
	if o.Package == "" {
		o.Package = "."
	}
	c.builds.Linked("checker, variants")
	return schema, path, c.c.Tool.BuildTest(ctx, o)
}

// shareSchema gives programs their parts in a schema's executable. One more than they use
// it: whoever keeps it.
func (b *batch) shareSchema(some []int, schema *instrument.Schema, path string) (users *atomic.Int64) {
	users = &atomic.Int64{}
	users.Add(1)
	n := 0
	for at, i := range some {
		if m := schema.Members[at]; m != nil {
			n++
			b.built[i].Binary = b.c.part(b.sets[i], b.programs[i], path, m, schema.Points[at], users)
		}
	}
	b.c.builds.Variants(n)
	return users
}

// part is the binary of a program in a schema's executable.
func (c *Checker) part(files map[string][]byte, p *instrument.Rewritten, path string, m *schema.Member, points *incremental.Points, users *atomic.Int64) *Binary {
	users.Add(1)
	b := c.binary(files, p, path)
	b.member, b.points, b.users = m, points, users
	return b
}

// A keptSchema is a schema that was built, for programs that combine its variants.
type keptSchema struct {
	schema *instrument.Schema
	binary *Binary // keeps the file
}

// keep keeps a schema that was built, and no longer the oldest if there are too many.
func (c *Checker) keep(s *keptSchema) {
	if oldest, full := c.kept.Add(s); full {
		_ = oldest.binary.Close() // the checker removes what is left of it
	}
}

// combined is a binary of a program whose variants are all in a schema that is kept; nil: they
// are not.
func (c *Checker) combined(files map[string][]byte, p *instrument.Rewritten) (b *Binary) {
	in := c.instrumenter()
	c.kept.Find(func(s *keptSchema) bool {
		if m, points := s.schema.Member(in, p); m != nil {
			c.builds.Variants(1)
			b = c.part(files, p, s.binary.path, m, points, s.binary.users)
		}
		return b != nil
	})
	return b
}

// environment is what a process of the binary has in its environment.
func (b *Binary) environment(request string) []string {
	env := []string{wire.Env + "=" + request, "GOTRACEBACK=all"}
	if b.member != nil {
		env = append(env, variant.Env+"="+variant.Format(b.member.Choices))
	}
	return env
}

// original is a text of the binary with the names and lines that files and functions have in
// a build of the program alone.
func (b *Binary) original(text []byte) []byte {
	text = b.checker.c.Tool.Original(instrument.Original(b.clone, text))
	if b.member != nil {
		text = []byte(b.member.Text(string(text)))
	}
	return text
}

// answer reads an answer.
func (b *Binary) answer(line []byte) (a wire.Answer, err error) {
	line = b.checker.c.Tool.Original(instrument.Original(b.clone, line))
	if err := json.Unmarshal(line, &a); err != nil {
		return a, err
	}
	if b.member != nil {
		b.member.Own(&a)
	}
	return a, nil
}

// request is the text of a request as the binary takes it.
func (b *Binary) request(r wire.Request) ([]byte, error) {
	text, err := json.Marshal(r)
	if err != nil || b.member == nil {
		return text, err
	}
	var own wire.Request
	if err := json.Unmarshal(text, &own); err != nil {
		return nil, err
	}
	b.member.Compiled(&own)
	return json.Marshal(own)
}

// identity tells programs apart.
func (b *Binary) identity() string {
	if b.member != nil {
		return b.path + variant.Format(b.member.Choices)
	}
	return b.path + b.clone
}

package checker

import (
	"context"
	"encoding/json"
	"errors"
	"sync/atomic"

	"mendel/checker/instrument"
	"mendel/checker/wire"
	"mendel/internal/gotool"
	"mendel/internal/rewrite/schema"
	"mendel/internal/rewrite/variant"
)

// errNoSchema says that too few programs fit into a schema to make one.
var errNoSchema = errors.New("no two programs fit into a schema")

// schemata builds the programs that fit into schemata, see package schema. Those that do
// not have no binary yet.
func (b *batch) schemata(ctx context.Context) {
	var some []int
	for i := range b.programs {
		if b.built[i].Err != nil {
			continue
		}
		if some = append(some, i); len(some) == schema.MaxMembers {
			b.schema(ctx, some)
			some = nil
		}
	}
	b.schema(ctx, some)
}

// schema builds one executable of some programs, without those that the compiler refuses.
func (b *batch) schema(ctx context.Context, some []int) {
	for len(some) > 1 && ctx.Err() == nil {
		combined, path, err := b.linkSchema(ctx, some)
		if err == nil {
			b.shareSchema(some, combined, path)
			return
		}
		refused := (*gotool.BuildError)(nil)
		if combined == nil || !errors.As(err, &refused) {
			return
		}
		blameless, ok := combined.Blameless(refused)
		if !ok {
			return
		}
		rest := make([]int, len(blameless))
		for at, n := range blameless {
			rest[at] = some[n]
		}
		some = rest
	}
}

// linkSchema builds the executable of a schema.
func (b *batch) linkSchema(ctx context.Context, some []int) (schema *instrument.Schema, path string, err error) {
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
	if schema, err = c.instrumenter().Schema(programs); err != nil {
		return nil, "", err
	}
	path = c.newName()
	o := c.options(c.c.Program.Target.Package, schema.Overlay, path)
	if o.Package == "" {
		o.Package = "."
	}
	if schema.Fitting() < 2 {
		return nil, "", errNoSchema
	}
	c.builds.Add(0, 1)
	return schema, path, c.c.Tool.BuildTest(ctx, o)
}

// shareSchema gives programs their parts in a schema's executable.
func (b *batch) shareSchema(some []int, schema *instrument.Schema, path string) {
	users := &atomic.Int64{}
	for n, i := range some {
		if m := schema.Members[n]; m != nil {
			users.Add(1)
			binary := b.c.binary(b.sets[i], b.programs[i], path)
			binary.member, binary.points, binary.users = m, schema.Points[n], users
			b.built[i].Binary = binary
		}
	}
	b.c.builds.Add(int(users.Load()), 0)
	b.c.builds.Variants(int(users.Load()))
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

package checker

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"mendel/checker/instrument"
	"mendel/checker/wire"
	"mendel/internal/gotool"
	"mendel/internal/rewrite/schema"
)

// A Built is one program of a batch.
type Built struct {
	Binary *Binary // nil when Err is set, or by BuildTogether
	Err    error   // as Build would return it
}

// BuildAll builds the instrumented test binaries of several programs, each
// given as for Build, in as few executables as it can; result i belongs to
// sets[i]. The error is ctx's; then there are no binaries.
//
// Programs share an executable as clones of the packages under test. Those
// that cannot, or do not compile, are built one by one.
func (c *Checker) BuildAll(ctx context.Context, sets []map[string][]byte) ([]Built, error) {
	b, err := c.together(ctx, sets)
	if err != nil {
		return nil, err
	}
	b.each(func(i int) {
		if built := &b.built[i]; built.Binary == nil && built.Err == nil {
			built.Binary, built.Err = c.buildAlone(ctx, sets[i], b.programs[i])
		}
	})
	if err := b.close(ctx.Err()); err != nil {
		return nil, err
	}
	return b.built, nil
}

// BuildTogether is BuildAll but for the programs that cannot share an executable: these have
// neither a binary nor an error, so that the others need not wait for them.
func (c *Checker) BuildTogether(ctx context.Context, sets []map[string][]byte) ([]Built, error) {
	b, err := c.together(ctx, sets)
	if err != nil {
		return nil, err
	}
	return b.built, nil
}

// together builds the programs that can share executables. The error is ctx's.
func (c *Checker) together(ctx context.Context, sets []map[string][]byte) (*batch, error) {
	b := &batch{c: c, sets: sets, programs: make([]*instrument.Rewritten, len(sets)), built: make([]Built, len(sets)), why: make([]string, len(sets))}
	if !c.hasTests() {
		for i := range b.built {
			b.built[i].Err = fmt.Errorf("%s: %w", c.path(), gotool.ErrNoTests)
		}
		return b, ctx.Err()
	}
	b.each(func(i int) { b.programs[i], b.built[i].Err = c.rewrite(ctx, sets[i]) })
	b.schemata(ctx)
	b.shared(ctx)
	for i, built := range b.built {
		if built.Binary == nil && built.Err == nil && ctx.Err() == nil {
			c.builds.Alone(cmp.Or(b.why[i], schema.Single))
		}
	}
	return b, b.close(ctx.Err())
}

// close removes what was built if there is an error.
func (b *batch) close(err error) error {
	if err == nil {
		return nil
	}
	for i, built := range b.built {
		if built.Binary != nil {
			err = errors.Join(err, built.Binary.Close())
		}
		b.built[i].Binary = nil
	}
	return err
}

// A batch is programs that are built together.
type batch struct {
	c        *Checker
	sets     []map[string][]byte
	programs []*instrument.Rewritten // nil: it does not compile
	built    []Built
	why      []string // a program does not share an executable; "": nobody was there to share it with
}

// each does something for all programs, with the workers that there are.
func (b *batch) each(do func(i int)) {
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(b.c.c.Workers, len(b.sets)) {
		workers.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(b.sets); i = int(next.Add(1)) - 1 {
				do(i)
			}
		})
	}
	workers.Wait()
}

// maxShared is how many programs share an executable: more make it hardly
// cheaper for each, and every process longer to start. Guessed.
const maxShared = 64

// maxUnshared is how many batches in a row may have no executable, without the
// fault of a program, before no more are tried. Guessed.
const maxUnshared = 3

// shared builds the programs that may share an executable.
func (b *batch) shared(ctx context.Context) {
	if b.c.unshared.Load() >= maxUnshared {
		return
	}
	var some []int
	for i, p := range b.programs {
		if b.built[i].Err != nil || b.built[i].Binary != nil || p.Alone != "" {
			continue
		}
		if some = append(some, i); len(some) == maxShared {
			b.executable(ctx, some)
			some = nil
		}
	}
	b.executable(ctx, some)
}

// executable builds one executable of some programs, without those that do not
// compile. If that fails, or the executable does not start, they have none.
func (b *batch) executable(ctx context.Context, some []int) {
	for len(some) > 1 && ctx.Err() == nil {
		path, clones, err := b.link(ctx, some)
		if err == nil {
			b.share(some, path, clones)
			b.c.unshared.Store(0)
			return
		}
		refused := (*gotool.BuildError)(nil)
		var rest []int
		for n, i := range some {
			if !errors.As(err, &refused) || !blamed(refused.Output, clones[n]) {
				rest = append(rest, i)
			}
		}
		if len(rest) == len(some) {
			if ctx.Err() == nil {
				b.c.unshared.Add(1)
			}
			return
		}
		some = rest
	}
}

// link builds an executable and checks that it starts.
func (b *batch) link(ctx context.Context, some []int) (path string, clones []string, err error) {
	c := b.c
	release, err := c.acquire(ctx)
	if err != nil {
		return "", nil, err
	}
	defer release()
	defer c.builds.Begin()()
	programs := make([]*instrument.Rewritten, len(b.programs))
	for _, i := range some {
		programs[i] = b.programs[i]
	}
	together := c.instrumenter().Batch(programs)
	for _, i := range some {
		clones = append(clones, together.Clones[i])
	}
	path = c.newName()
	c.builds.Linked("checker, clones")
	o := c.options(together.Package, together.Overlay, path)
	o.Once = true
	if err := c.c.Tool.BuildTest(ctx, o); err != nil {
		return "", clones, err
	}
	if err := c.starts(ctx, path); err != nil {
		return "", clones, errors.Join(err, remove(path))
	}
	return path, clones, nil
}

// startTime bounds the start of a shared executable.
const startTime = 10 * time.Second

// starts checks that the clones in an executable can be initialised in one
// process. It starts the executable without a request, which must print nothing
// of its own.
func (c *Checker) starts(ctx context.Context, path string) error {
	o := gotool.RunOptions{
		Path:    path,
		Args:    []string{"-test.run=^" + wire.Entry + "$"},
		Dir:     c.c.Program.Packages[0].Dir,
		Timeout: startTime,
		Grace:   quitGrace,
		Memory:  c.c.Memory,
	}
	r, err := c.c.Tool.Run(ctx, o)
	if err == nil && r.Killed && ctx.Err() == nil {
		r, err = c.c.Tool.Run(ctx, o) // somebody else killed it
	}
	switch {
	case err != nil:
		return fmt.Errorf("start %s: %w", path, err)
	case r.ExitCode != 0 || !silent(string(r.Output)):
		return fmt.Errorf("start %s: exit status %d: %s", path, r.ExitCode, tail(r.Output, lastBytes))
	}
	return nil
}

// silent reports whether a test binary printed nothing but what package testing
// does, at the end.
func silent(output string) bool {
	rest, ok := strings.CutPrefix(output, "PASS\n")
	return ok && (rest == "" || strings.HasPrefix(rest, "coverage: ") && strings.Count(rest, "\n") == 1)
}

// share gives programs their parts in an executable.
func (b *batch) share(some []int, path string, clones []string) {
	users := &atomic.Int64{}
	users.Store(int64(len(some)))
	for n, i := range some {
		binary := b.c.binary(b.sets[i], b.programs[i], path)
		binary.clone, binary.users = clones[n], users
		b.built[i].Binary = binary
	}
	b.c.builds.Built(len(some))
}

// blamed reports whether the go command refuses a package of a clone: it names
// the package in the line above the compiler's messages.
func blamed(output, clone string) bool {
	for line := range strings.Lines(output) {
		if pkg, ok := strings.CutPrefix(line, "# "); ok && strings.Contains(pkg, "/"+clone+"/") {
			return true
		}
	}
	return false
}

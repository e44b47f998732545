package validate

import (
	"context"
	"errors"
	"fmt"
	"go/types"
	"sync"

	"mendel/fitness/noise"
	"mendel/internal/gotool"
	"mendel/mutate"
)

// A Space offers edits and builds mutants; *mutate.Space is one.
type Space interface {
	Edits() []mutate.Edit
	Operator(name string) *mutate.Operator
	Mutant(ctx context.Context, edits []mutate.Edit) (*mutate.Mutant, error)
	Guarding(edits []mutate.Edit) (*mutate.Guarding, error)
	Complete(ctx context.Context, edits []mutate.Edit, key string, vars ...*types.Var) ([]mutate.Edit, []mutate.Gap, error)
	CompleteBriefly(ctx context.Context, edits []mutate.Edit, key string, vars ...*types.Var) ([]mutate.Edit, []mutate.Gap, error)
}

// A Runner builds programs; Harness makes one of a *noise.Harness.
type Runner interface {
	// Build builds the program with some files replaced (absolute name to
	// source). What does not compile is a *gotool.BuildError.
	Build(ctx context.Context, mode noise.Mode, files map[string][]byte) (Binary, error)
}

// A Binary is a program that a Runner built.
type Binary interface {
	// RunMany runs the program n times, as noise.Harness.RunMany does.
	RunMany(ctx context.Context, n int, o noise.RunOptions, stop func(noise.Outcome) bool) ([]noise.Outcome, error)
	Path() string // absolute, of the executable; "": it cannot be run in another way
	Close() error
}

// A Tool vets packages and builds their tests; *gotool.Toolchain is one.
type Tool interface {
	Vet(ctx context.Context, o gotool.BuildOptions, packages ...string) error
	BuildTest(ctx context.Context, o gotool.BuildOptions) error
}

var (
	_ Space = (*mutate.Space)(nil)
	_ Tool  = (*gotool.Toolchain)(nil)
)

// Harness makes a Runner of a noise harness.
func Harness(h *noise.Harness) Runner { return harness{h} }

type harness struct{ *noise.Harness }

func (h harness) Build(ctx context.Context, mode noise.Mode, files map[string][]byte) (Binary, error) {
	b, err := h.Harness.Obtain(ctx, mode, files)
	if err != nil {
		return nil, err
	}
	return built{b, h.Harness}, nil
}

type built struct {
	*noise.Binary
	harness *noise.Harness
}

func (b built) RunMany(ctx context.Context, n int, o noise.RunOptions, stop func(noise.Outcome) bool) ([]noise.Outcome, error) {
	return b.harness.RunMany(ctx, b.Binary, n, o, stop)
}

// A program is the original or a mutant during the final checks. Its plain
// binary is built once, by the check that needs it first, for the package's
// tests, the comparison of costs and the measurement of parallelism.
type program struct {
	runner Runner
	files  map[string][]byte // that replace the original's; nil: the original
	once   sync.Once
	plain  Binary
	err    error
}

// build builds the program as a user would.
func (p *program) build(ctx context.Context) (Binary, error) {
	p.once.Do(func() {
		if p.plain, p.err = p.runner.Build(ctx, noise.Plain, p.files); p.err != nil {
			p.err = fmt.Errorf("building without noise: %w", p.err)
		}
	})
	return p.plain, p.err
}

// close removes what was built, and keeps it from being built.
func (p *program) close() {
	p.once.Do(func() { p.err = errors.New("building without noise: it is over") })
	if p.plain != nil {
		p.plain.Close()
	}
}

// lent is a program whose binary belongs to somebody else.
func lent(b Binary) *program {
	p := &program{plain: unclosed{b}}
	p.once.Do(func() {})
	return p
}

type unclosed struct{ Binary }

func (unclosed) Close() error { return nil }

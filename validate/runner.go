package validate

import (
	"context"
	"go/types"

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

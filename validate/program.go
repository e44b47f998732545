package validate

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"mendel/fitness/noise"
)

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

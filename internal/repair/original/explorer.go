package original

import (
	"context"
	"sync"
	"sync/atomic"

	"mendel/analysis/evidence"
	"mendel/checker"
	"mendel/fitness"
)

// An Explorer is the checker of a repair.
type Explorer struct {
	Checker  *checker.Checker
	checks   atomic.Int64
	standing atomic.Pointer[[]string]         // what is left blocked and does not count; see setAside
	apart    atomic.Pointer[[]evidence.Apart] // how tests fail for reasons of their own; see keepApart
}

// Counts are the programs built and the schedules followed.
func (e *Explorer) Counts() (builds, schedules int) { return e.Checker.Counts() }

// Carried is as [checker.Checker.Carried].
func (e *Explorer) Carried() int { return e.Checker.Carried() }

// Repeated is as [checker.Checker.Repeated].
func (e *Explorer) Repeated() int { return e.Checker.Repeated() }

// Checks is how many programs were explored.
func (e *Explorer) Checks() int { return int(e.checks.Load()) }

// leaves are the goroutines that are left blocked and do not count.
func (e *Explorer) leaves() []string {
	if names := e.standing.Load(); names != nil {
		return *names
	}
	return nil
}

// Explore explores a binary as the repair wants it.
func (e *Explorer) Explore(ctx context.Context, b *checker.Binary, s checker.Search) (*checker.Report, error) {
	s.Standing = e.leaves()
	if ways := e.apart.Load(); ways != nil {
		s.Without = evidence.Skipped(*ways)
	}
	report, err := b.Check(ctx, s)
	if err != nil {
		return nil, err
	}
	if ways := e.apart.Load(); ways != nil {
		report = report.KeepApart(*ways)
	}
	return report, nil
}

var _ fitness.Checker = (*Explorer)(nil)

// Check builds and explores a program.
func (e *Explorer) Check(ctx context.Context, files map[string][]byte, s checker.Search) (*checker.Report, error) {
	e.checks.Add(1)
	b, err := e.Checker.Obtain(ctx, files)
	if err != nil {
		return nil, err
	}
	defer b.Close()
	return e.Explore(ctx, b, s)
}

// BuildAll builds several programs together. One that cannot share an executable is built
// when it is explored, so that the others need not wait.
func (e *Explorer) BuildAll(ctx context.Context, sets []map[string][]byte) ([]fitness.Built, error) {
	binaries, err := e.Checker.BuildTogether(ctx, sets)
	built := make([]fitness.Built, len(binaries))
	for i, b := range binaries {
		switch built[i].Err = b.Err; {
		case b.Binary != nil:
			built[i].Program = counted{b.Binary, e}
		case b.Err == nil:
			built[i].Program = &later{explorer: e, files: sets[i]}
		}
	}
	return built, err
}

// later is a program that is built when it is explored for the first time.
type later struct {
	explorer *Explorer
	files    map[string][]byte

	mu     sync.Mutex      // held while it is built
	binary *checker.Binary // nil: it is not built
}

// Check implements [fitness.Program].
func (l *later) Check(ctx context.Context, s checker.Search) (*checker.Report, error) {
	b, err := l.built(ctx)
	if err != nil {
		return nil, err
	}
	return counted{b, l.explorer}.Check(ctx, s)
}

// built is the program's binary.
func (l *later) built(ctx context.Context) (*checker.Binary, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.binary != nil {
		return l.binary, nil
	}
	b, err := l.explorer.Checker.Obtain(ctx, l.files)
	if err != nil {
		return nil, err
	}
	l.binary = b
	return b, nil
}

// Close removes the binary, if there is one.
func (l *later) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.binary == nil {
		return nil
	}
	return l.binary.Close()
}

// counted is a binary whose searches are counted.
type counted struct {
	*checker.Binary
	explorer *Explorer
}

// Check implements [fitness.Program].
func (c counted) Check(ctx context.Context, s checker.Search) (*checker.Report, error) {
	c.explorer.checks.Add(1)
	return c.explorer.Explore(ctx, c.Binary, s)
}

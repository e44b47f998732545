package sweep

import (
	"context"
	"fmt"
	"io"

	"mendel/internal/bench/enumeration"
	"mendel/internal/bench/subject"
)

// subjects are the subjects below a directory, as programs.
func subjects(dir string) ([]enumeration.Source, error) {
	list, err := subject.Read(dir, nil)
	if err != nil {
		return nil, err
	}
	var sources []enumeration.Source
	for _, s := range list {
		sources = append(sources, enumeration.Source{Name: s.Name, Dir: s.Dir})
	}
	return sources, nil
}

// digests prints a line for each program: how many edits it has, how many of them
// came of the narrowing's growth, and the digest of all. Two revisions of Mendel that
// find the same edits print the same.
func (o Options) digests(ctx context.Context, chosen []enumeration.Source, dir string, stdout io.Writer) error {
	for _, s := range chosen {
		if err := ctx.Err(); err != nil {
			return err
		}
		p, err := s.Load(ctx, dir)
		if err != nil {
			return err
		}
		m, err := enumeration.Measure(ctx, p, o.breadth(), o.Seed, nil)
		if err != nil {
			return fmt.Errorf("%s: %w", s, err)
		}
		if err := m.All(); err != nil {
			return fmt.Errorf("%s: %w", s, err)
		}
		fmt.Fprintf(stdout, "%s: %d edits, %d added, %s\n", s, m.Edits, m.Added, m.Digest)
	}
	return nil
}

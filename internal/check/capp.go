package check

import (
	"context"
	"fmt"
	"path/filepath"

	"mendel/checker/impact"
	"mendel/checker/sched"
	"mendel/internal/change"
)

// prefer is what the schedules that come first have to do with; nil: nothing.
func (c *checking) prefer(ctx context.Context, p *prepared) (*sched.Impact, error) {
	if c.o.Capp == "" {
		return nil, nil
	}
	changed, err := c.change(ctx, p.tool.Dir)
	if err != nil {
		return nil, err
	}
	if !changed.Applied {
		return nil, fmt.Errorf("--capp: %s is not applied; mendel verify judges such a patch", changed.Name)
	}
	before := map[string][]byte{}
	for _, f := range changed.Files {
		if f.After != nil {
			before[filepath.Join(changed.Root, filepath.FromSlash(f.Path))] = f.Before
		}
	}
	return impact.OfChange(p.program, before).For(c.o.Capp)
}

// change is what the user calls the change.
func (c *checking) change(ctx context.Context, dir string) (*change.Change, error) {
	if c.o.Patch != "" {
		return change.Read(ctx, c.o.Patch, dir)
	}
	return change.Since(ctx, dir, c.o.Since)
}

package goker

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"mendel"
	"mendel/internal/bench/identity"
	"mendel/internal/bench/kernel"
	"mendel/internal/bench/tables"
	"mendel/internal/bench/trial"
	"mendel/internal/gotool"
)

// repairsName is the name of the files of a report.
const repairsName = "goker-repair"

// repairs are the outcome of repairing kernels, as saved in goker-repair.json,
// with those of earlier runs that were saved there.
type repairs struct {
	tables.Machine
	Command string          `json:"command"`
	Limit   string          `json:"limit"`  // of one repair, from beginning to end
	Effort  string          `json:"effort"` // of a verification
	Mendel  string          `json:"mendel"` // hash of the source that repaired
	Kernels []*kernelRepair `json:"kernels"`
}

// A kernelRepair is what became of one kernel.
type kernelRepair struct {
	Name     string `json:"name"`
	Type     string `json:"type"`     // of its bug, by the collection's README
	Upstream string `json:"upstream"` // what the README says of the bug or its fix
	Link     string `json:"link"`     // of the upstream project's patch
	trial.Trial
	Patch    string       `json:"patch,omitempty"` // the best
	Verified *kernelProof `json:"verified,omitempty"`
	source   [2]string    // directories: the kernel once, and as many times as it comes
	options  *Options     // how to repair and verify
	arm      trial.Arm
}

// repairKernels repairs the kernels in their directories, verifies the best
// patch of each, and prints the table. What an earlier run has saved is not done again.
func repairKernels(ctx context.Context, kernels []kernel.Kernel, tool *gotool.Toolchain, o Options, stdout, stderr io.Writer) error {
	arms, err := trial.ParseArms([]string{cmp.Or(o.Arm, trial.DefaultArm)})
	if err != nil {
		return err
	}
	known, err := readDocumentation(tool.GOROOT)
	if err != nil {
		return err
	}
	r, err := openRepairs(tool, o)
	if err != nil {
		return err
	}
	many, err := kernel.Read(filepath.Join(tool.GOROOT, filepath.FromSlash(kernel.Dir)), o.Only, false)
	if err != nil {
		return err
	}
	files := tables.Files{Dir: o.Out, Name: repairsName}
	var broken error
	for i, k := range kernels {
		copies := filepath.Join(o.Modules, k.Name+"-copies")
		if err := many[i].WriteModule(copies); err != nil {
			return err
		}
		if slices.ContainsFunc(r.Kernels, func(done *kernelRepair) bool { return done.Name == k.Name }) {
			continue
		}
		c := &kernelRepair{
			Name: k.Name, Type: cmp.Or(known.types[k.Name], "unknown"), Upstream: known.words[k.Name], Link: known.links[k.Name],
			source: [2]string{filepath.Join(o.Modules, k.Name), copies}, options: &o, arm: arms[0],
		}
		if broken = c.do(ctx); broken != nil {
			broken = fmt.Errorf("%s: %w", k.Name, broken)
			break
		}
		r.Kernels = append(r.Kernels, c)
		fmt.Fprintf(stderr, "[%d/%d] %s: %s\n", i+1, len(kernels), k.Name, c.line())
		if o.Out == "" {
			fmt.Fprintf(stderr, "%s", c.Patch)
			continue
		}
		if err := files.Save(r, fmt.Errorf("%d of %d kernels are done", i+1, len(kernels))); err != nil {
			return err
		}
	}
	slices.SortFunc(r.Kernels, func(a, b *kernelRepair) int { return cmp.Compare(a.Name, b.Name) })
	return tables.Finish(r, stdout, files, broken)
}

// openRepairs makes the report, or goes on with the one in the output
// directory. It refuses to mix what was made under other conditions.
func openRepairs(tool *gotool.Toolchain, o Options) (*repairs, error) {
	version, err := identity.Mendel()
	if err != nil {
		return nil, err
	}
	r := &repairs{
		Machine: tables.ThisMachine(tool), Command: o.Command, Limit: o.Limit.String(), Mendel: version,
		Effort: fmt.Sprintf("%d noised runs, checker %v", o.Runs, o.Check),
	}
	if o.Arm != "" && o.Arm != trial.DefaultArm {
		r.Effort += ", arm " + o.Arm
	}
	if o.Out == "" {
		return r, nil
	}
	name := filepath.Join(o.Out, repairsName+".json")
	old := &repairs{}
	if found, err := tables.ReadSaved(name, old); err != nil || !found {
		return r, err
	}
	if old.Machine != r.Machine || old.Limit != r.Limit || old.Effort != r.Effort || old.Mendel != r.Mendel {
		return nil, fmt.Errorf("%s was made under other conditions (%s, %s a repair, %s, source %s; now %s, %s, %s, %s); use another directory with --out",
			name, old.Machine, old.Limit, old.Effort, old.Mendel, r.Machine, r.Limit, r.Effort, r.Mendel)
	}
	r.Kernels = old.Kernels
	return r, nil
}

// do repairs the kernel and verifies what is found.
func (c *kernelRepair) do(ctx context.Context) (err error) {
	o := c.options
	if c.Trial, err = trial.Run(ctx, c.source[0], o.Seed, c.arm, o.Effort); err != nil {
		return err
	}
	if c.Status != mendel.Fixed || len(c.Patches) == 0 {
		return nil
	}
	c.Patch = c.Patches[0]
	c.Verified, err = c.verify(ctx)
	return err
}

// repaired reports whether there is a fix in time and verification found no problem.
func (c *kernelRepair) repaired() bool {
	return c.OK() && c.Verified != nil && len(c.Verified.problems()) == 0
}

// line says in a line what became of the kernel.
func (c *kernelRepair) line() string {
	text := c.Trial.Line()
	if c.Verified != nil {
		text += "\n\t" + c.Verified.line()
	}
	return text
}

// found is how long it took to reproduce the bug, in seconds.
func (c *kernelRepair) found() float64 { return c.Phases["load"] + c.Phases["reproduce"] }

package sweep

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/pprof"
	"slices"
	"strings"

	"mendel/internal/bench/enumeration"
	"mendel/internal/bench/tables"
	"mendel/internal/bench/trial"
	"mendel/internal/gotool"
	"mendel/mutate"
)

// sources are the programs, small ones first.
var sources = []enumeration.Source{
	{Name: "database/sql", Dir: "std", Package: "database/sql"},
	{Name: "net/rpc", Dir: "std", Package: "net/rpc"},
	{Name: "go/types", Dir: "std", Package: "go/types"},
	{Name: "net/http", Dir: "std", Package: "net/http"},
	{Name: "mendel", Dir: ".", Package: "./cmd/mendel-bench"},
	{Module: "github.com/quic-go/quic-go", Version: "v0.48.2", Package: "./http3"},
	{Module: "github.com/cockroachdb/pebble", Version: "v1.1.2", Package: "."},
	{Module: "github.com/nats-io/nats-server/v2", Version: "v2.10.18", Package: "./server"},
}

// Options say what to sweep, and how much of it.
type Options struct {
	Only    []string // parts of the programs' names; none: all
	Digests bool     // print the digests of the edits, of the subjects' too, and build nothing
	// Subjects is their directory, for Digests.
	Subjects string
	Edits    int    // built of each program; 0: all
	Static   bool   // narrowed by the static analysis
	Seed     uint64 // of the sample
	Profile  string // file for a processor profile of the enumeration; "": none
	Out      string // directory of sweep.json and sweep.md; "": print only
	Command  string // to type, for the report
}

// Run sweeps the programs and prints the tables. Interrupted, it prints what it has.
func Run(ctx context.Context, o Options, stdout, stderr io.Writer) (err error) {
	all := slices.Clone(sources)
	if o.Digests {
		small, err := subjects(o.Subjects)
		if err != nil {
			return err
		}
		all = append(small, all...)
	}
	chosen := slices.DeleteFunc(all, func(s enumeration.Source) bool { return !o.wants(s.String()) })
	if len(chosen) == 0 {
		return fmt.Errorf("--only %s: no program's name contains that", strings.Join(o.Only, ","))
	}
	if err := tables.MakeOut(o.Out); err != nil {
		return err
	}
	tool, err := gotool.Open(ctx, ".")
	if err != nil {
		return err
	}
	dir, remove, err := gotool.TempDir()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, remove()) }()
	if o.Digests {
		return o.digests(ctx, chosen, dir, stdout)
	}
	if o.Profile != "" {
		file, err := os.Create(o.Profile)
		if err != nil {
			return fmt.Errorf("create the profile: %w", err)
		}
		defer file.Close()
		if err := pprof.StartCPUProfile(file); err != nil {
			return fmt.Errorf("start the profile: %w", err)
		}
		defer pprof.StopCPUProfile()
		defer context.AfterFunc(ctx, pprof.StopCPUProfile)() // enumerating is not interrupted
	}
	r := &report{Machine: tables.ThisMachine(tool), Breadth: o.breadth(), Seed: o.Seed}
	var broken error
	for _, s := range chosen {
		fmt.Fprintf(stderr, "sweeping %s\n", s)
		p, err := o.sweep(ctx, s, dir)
		if p != nil { // as far as it came
			r.Programs = append(r.Programs, p)
		}
		if err != nil {
			broken = err
			break
		}
		fmt.Fprintf(stderr, "%s: %d lines, %d edits, %d built\n", s, p.Lines, p.Edits, p.Built)
	}
	return tables.Finish(r, stdout, tables.Files{Dir: o.Out, Name: "sweep", Command: o.Command}, broken)
}

// wants reports whether --only selects a program.
func (o Options) wants(name string) bool {
	return len(o.Only) == 0 || slices.ContainsFunc(o.Only, func(part string) bool { return strings.Contains(name, part) })
}

func (o Options) breadth() enumeration.Breadth {
	if o.Static {
		return enumeration.Static
	}
	return enumeration.Everything
}

// sweep enumerates one program's edits and builds the sample. With an error the
// program is what was built until then, or nil.
func (o Options) sweep(ctx context.Context, s enumeration.Source, dir string) (*program, error) {
	r := newProgram(s.String())
	trial.ResetPeakMemory()
	loaded, seconds, err := s.Timed(ctx, dir)
	if err != nil {
		return nil, err
	}
	r.Load = seconds
	m, err := enumeration.Measure(ctx, loaded, o.breadth(), o.Seed, r.panicked)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s, err)
	}
	r.Measurement = m
	if err := m.All(); err != nil {
		return nil, fmt.Errorf("%s: %w", s, err)
	}
	r.Peak = trial.PeakMemory()
	sample := sampleOf(m.Space.Edits(), o.Edits, o.Seed)
	r.Apply, err = enumeration.Seconds(func() error { return r.build(ctx, m.Space, sample) })
	m.Space = nil
	if err != nil {
		return r, fmt.Errorf("%s: %w", s, err)
	}
	return r, nil
}

// build builds the mutants of some edits, each of one alone.
func (r *program) build(ctx context.Context, space *mutate.Space, sample []mutate.Edit) error {
	return each(ctx, sample, func(e mutate.Edit) error {
		_, err := space.Mutant(ctx, []mutate.Edit{e})
		var refusal *mutate.Refusal
		switch {
		case err == nil:
			r.count(func() { r.Built++ })
		case errors.As(err, &refusal):
			r.refuse(e, refusal)
		default:
			return fmt.Errorf("%s:%d %s: %w", e.File, e.Line, e.Operator, err)
		}
		return nil
	})
}

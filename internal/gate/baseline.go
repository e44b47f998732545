package gate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"mendel/analysis/evidence"
	"mendel/internal/check"
	"mendel/internal/gotool"
	"mendel/internal/result"
)

// baselineVersion is that of the form of baselines.
const baselineVersion = 1

// A Baseline is failures that are known. A nil one knows none.
type Baseline struct {
	Version  int     `json:"version"`
	Failures []Known `json:"failures"`
}

// A Known failure. Package and Signature tell it from others; the rest is for people.
type Known struct {
	Package   string        `json:"package"`
	Test      string        `json:"test,omitempty"`
	Kind      evidence.Kind `json:"kind"`
	Signature string        `json:"signature"`
	Message   string        `json:"message,omitempty"`
	Why       string        `json:"why,omitempty"` // it is not mended, in people's words; kept
}

// readBaseline reads the baseline that is asked for; nil if none is, or it is only to be written.
func (r *run) readBaseline() (*Baseline, error) {
	name := r.o.Baseline
	if name == "" {
		if r.o.WriteBaseline {
			return nil, errors.New("--write-baseline needs --baseline, the file to write")
		}
		return nil, nil
	}
	data, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) && r.o.WriteBaseline {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the baseline: %w", err)
	}
	b := &Baseline{}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(b); err != nil {
		return nil, fmt.Errorf("read the baseline %s: %w", name, err)
	}
	if b.Version != baselineVersion {
		return nil, fmt.Errorf("the baseline %s has version %d, and this Mendel knows %d: write it anew with --write-baseline", name, b.Version, baselineVersion)
	}
	return b, nil
}

// Write writes a baseline, whole or not at all.
func (b *Baseline) Write(name string) error {
	data, err := result.Indent(b)
	if err != nil {
		return err
	}
	if err := gotool.WriteFile(name, data); err != nil {
		return fmt.Errorf("write the baseline: %w", err)
	}
	return nil
}

// same reports whether two failures are the same.
func (k Known) same(o Known) bool { return k.Package == o.Package && k.Signature == o.Signature }

// has reports whether a failure is known.
func (b *Baseline) has(k Known) bool { return b != nil && slices.ContainsFunc(b.Failures, k.same) }

// concerns reports whether failures of a package are known.
func (b *Baseline) concerns(pkg string) bool {
	return b != nil && slices.ContainsFunc(b.Failures, func(k Known) bool { return k.Package == pkg })
}

// why is what people have written down about a known failure.
func (b *Baseline) why(k Known) string {
	if b != nil {
		if i := slices.IndexFunc(b.Failures, k.same); i >= 0 {
			return b.Failures[i].Why
		}
	}
	return ""
}

// searched reports whether the check of a package has said something of it.
func (p Package) searched() bool {
	return p.Verdict != check.Error && p.Verdict != Untried && p.Verdict != check.Inconclusive
}

// saysOf reports whether the check of a package has said something of one of its tests.
func (p Package) saysOf(test string) bool {
	return !slices.ContainsFunc(p.Tests, func(t check.Test) bool { return t.Name == test && t.Verdict == check.Inconclusive })
}

// gone are the known failures of a package that its check does not show any more, though
// it has shown that nothing else fails or all of what does.
func (b *Baseline) gone(p Package) (gone []Known) {
	if b == nil || !p.searched() {
		return nil
	}
	for _, k := range b.Failures {
		if k.Package == p.Path && p.saysOf(k.Test) && !slices.ContainsFunc(p.Failures, func(f Failure) bool { return f.same(k) }) {
			gone = append(gone, k)
		}
	}
	return gone
}

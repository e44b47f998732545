package validate

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"mendel/internal/gotool"
	"mendel/mutate"
)

// A fakeTool vets and builds as its functions say; the overlay is nil for the original.
type fakeTool struct {
	vet   func(overlay gotool.Overlay) error // nil: finds nothing
	build func(o gotool.BuildOptions) error  // nil: builds
	seen  [][]string                         // packages vetted
}

func (f *fakeTool) Vet(_ context.Context, o gotool.BuildOptions, packages ...string) error {
	f.seen = append(f.seen, packages)
	if f.vet == nil {
		return nil
	}
	return f.vet(o.Overlay)
}

func (f *fakeTool) BuildTest(_ context.Context, o gotool.BuildOptions) error {
	if f.build == nil {
		return nil
	}
	return f.build(o)
}

func findings(messages ...string) error {
	e := &gotool.BuildError{Output: strings.Join(messages, "\n")}
	for i, m := range messages {
		e.Diagnostics = append(e.Diagnostics, gotool.Diagnostic{File: "/m/bank.go", Line: 10 + i, Message: m})
	}
	return e
}

func TestVet(t *testing.T) {
	w := loadBank(t)
	m := w.mutant(t, w.edit(t, "guard", "(*Account).Deposit", "amount", 1))
	copies := "assignment copies lock value to x: bank.Account contains sync.Mutex"
	for _, test := range []struct {
		name          string
		before, after error
		want          Verdict
		detail        string // in the check's detail, or in the rejection's reason
	}{
		{"nothing found", nil, nil, Passed, ""},
		{"found before too", findings("old"), findings("old"), Passed, "1 finding(s) that the original has too"},
		{"found before at another line", findings("a", "old"), findings("old"), Passed, "1 finding(s)"},
		{"new", nil, findings(copies), "", "/m/bank.go:10: " + copies},
		{"new among old", findings("old"), findings("old", copies), "", copies},
		{"once more", findings("old"), findings("old", "old"), "", "old"},
		{"no positions", nil, &gotool.BuildError{Output: "vet: strange"}, "", "vet: strange"},
		{"no positions before either", &gotool.BuildError{Output: "vet: strange\n"}, &gotool.BuildError{Output: "vet: strange"}, Passed, "original has too"},
		{"does not run", nil, errors.New("exec: vet not found"), Skipped, "vet not found"},
	} {
		t.Run(test.name, func(t *testing.T) {
			tool := &fakeTool{vet: func(overlay gotool.Overlay) error {
				if overlay == nil {
					return test.before
				}
				return test.after
			}}
			v := w.validator(t, &fakeRunner{}, func(o *Options) { o.Tool = tool })
			j := &job{Validator: v}
			got, err := j.vet(t.Context(), m)
			var r *Rejected
			if errors.As(err, &r) {
				if test.want != "" || r.Stage != StageVet || !strings.Contains(r.Reason, test.detail) {
					t.Errorf("rejected: %v", r)
				}
				return
			}
			if err != nil || got.Verdict != test.want || !strings.Contains(got.Detail, test.detail) {
				t.Errorf("check %+v, error %v; want %q, %q", got, err, test.want, test.detail)
			}
			if want := []string{"example.com/bank"}; !slices.Equal(tool.seen[0], want) {
				t.Errorf("vetted %v, want %v", tool.seen[0], want)
			}
		})
	}
}

// A finding that speaks against the fix ends the validation.
func TestValidateAsksVet(t *testing.T) {
	w := loadBank(t)
	m := w.mutant(t, w.edit(t, "guard", "(*Account).Deposit", "amount", 1))
	tool := &fakeTool{vet: func(overlay gotool.Overlay) error {
		if len(overlay) == 0 {
			return nil
		}
		return findings("copies lock")
	}}
	v := w.validator(t, &fakeRunner{fail: unlockedDeposit}, func(o *Options) { o.Tool = tool })
	if r := rejection(t, v, m); r.Stage != StageVet {
		t.Errorf("rejected %+v", r)
	}
}

func TestVetsOriginalOnce(t *testing.T) {
	w := loadBank(t)
	tool := &fakeTool{vet: func(gotool.Overlay) error { return findings("old") }}
	v := w.validator(t, &fakeRunner{}, func(o *Options) { o.Tool = tool })
	for _, count := range []int{1, 2} {
		m := w.mutant(t, w.edit(t, "guard", "(*Account).Deposit", "amount", count))
		if _, err := (&job{Validator: v}).vet(t.Context(), m); err != nil {
			t.Fatal(err)
		}
	}
	if len(tool.seen) != 3 {
		t.Errorf("vet ran %d times for two mutants and the original", len(tool.seen))
	}
}

func TestVetCancelled(t *testing.T) {
	w := loadBank(t)
	m := w.mutant(t, w.edit(t, "guard", "(*Account).Deposit", "amount", 1))
	ctx, cancel := context.WithCancel(t.Context())
	tool := &fakeTool{vet: func(gotool.Overlay) error { cancel(); return fmt.Errorf("killed: %w", context.Canceled) }}
	v := w.validator(t, &fakeRunner{}, func(o *Options) { o.Tool = tool })
	if _, err := (&job{Validator: v}).vet(ctx, m); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

var _ Tool = (*fakeTool)(nil)

// Packages that no change touches are not vetted.
func TestPackagesOfNothing(t *testing.T) {
	w := loadBank(t)
	j := &job{Validator: w.validator(t, &fakeRunner{}, nil)}
	if got := j.packages(&mutate.Mutant{Files: map[string][]byte{"/elsewhere/x.go": nil}}); len(got) != 0 {
		t.Errorf("packages %v", got)
	}
}

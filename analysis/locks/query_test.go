package locks

import (
	"context"
	"errors"
	"strings"
	"testing"

	"mendel/analysis/analysistest"
)

// The relocks of a mutant are those that the original does not have; looking for them
// ends with the context.
func TestNewRelocks(t *testing.T) {
	const source = `package p

import "sync"

type S struct{ mu sync.Mutex }

func (s *S) set() {}
func (s *S) Run() { s.mu.Lock(); defer s.mu.Unlock(); s.set() }
`
	p := analysistest.Source(t, source)
	base := New(p)
	edited := strings.Replace(source, "set() {}", "set() { s.mu.Lock(); s.mu.Unlock() }", 1)
	fset, pkgs, err := p.Recheck(map[string][]byte{p.Packages[0].Files[0].Name: []byte(edited)})
	if err != nil {
		t.Fatal(err)
	}
	found, err := base.With(fset, pkgs).NewRelocks(t.Context())
	if err != nil || len(found) != 1 || found[0].In.Name != "(*example.com/p.S).Run" {
		t.Errorf("got %v, error %v; want one relock in Run", found, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if found, err := base.With(fset, pkgs).NewRelocks(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, error %v; want the context's", found, err)
	}
}

package mutate_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/build"
	"go/format"
	"go/scanner"
	"go/token"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"mendel/analysis"
	"mendel/internal/operators"
	"mendel/internal/sample"
	"mendel/mutate"
	"mendel/mutate/internal/mutatetest"
)

// The sweep asks every operator about real code, all of whose variables count
// as shared, and builds each mutant. It looks for what no case was written for.

// minCompiling is the share of the enumerated edits that must give a mutant
// which type-checks. Every refusal counts against it, whatever the reason.
const minCompiling = 0.98

// The mutants built of one package; of more edits, evenly spread ones are taken.
const (
	maxSwept  = 60
	everyEdit = 1 << 20
)

// TestSweepStd takes packages of the standard library with locks, with goroutines, and with
// neither. mendel-bench sweep takes more of them, and larger programs.
func TestSweepStd(t *testing.T) {
	for _, path := range sample.Of(1, []string{"log/syslog", "container/list", "io", "net/rpc"}) {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			sweepStd(t, path)
		})
	}
}

// sweepStd sweeps a copy of a package of the standard library.
func sweepStd(t *testing.T, path string) {
	src, err := build.Import(path, "", 0)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, name := range src.GoFiles {
		data, err := os.ReadFile(filepath.Join(src.Dir, name))
		if err != nil {
			t.Fatal(err)
		}
		writeFile(t, filepath.Join(dir, name), data)
	}
	writeFile(t, filepath.Join(dir, "go.mod"), []byte("module example.com/"+path+"\n\ngo 1.25\n"))
	p, n := mutatetest.Load(t, dir, []string{"*"}, []string{"*"})
	sweep(t, p, n, maxSwept)
}

func writeFile(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := os.WriteFile(name, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// The subjects are what the search is judged by; there static narrowing decides.
func TestSweepSubjects(t *testing.T) {
	mods, err := filepath.Glob("../subjects/*/go.mod")
	if err != nil {
		t.Fatal(err)
	}
	for _, mod := range sample.Of(2, mods) {
		dir, err := filepath.Abs(filepath.Dir(mod))
		if err != nil {
			t.Fatal(err)
		}
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			p, err := analysis.Load(context.Background(), nil, analysis.Target{Dir: dir, Package: "."})
			if err != nil {
				t.Fatal(err)
			}
			n, err := analysis.Narrow(context.Background(), p)
			if err != nil {
				t.Fatal(err)
			}
			sweep(t, p, n, maxSwept)
		})
	}
}

// sweep builds the mutants of edits of a program, each alone, most of them at most.
func sweep(t *testing.T, p *analysis.Program, n *analysis.Narrowing, most int) {
	space, err := mutate.NewSpace(p, n, operators.All())
	if err != nil {
		t.Fatal(err)
	}
	edits := space.Edits()
	if len(edits) == 0 {
		t.Fatal("there are no edits")
	}
	swept := spread(edits, most)
	reasons := make([]string, len(swept))
	var wg sync.WaitGroup
	next := make(chan int)
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := range next {
				reasons[i] = buildAlone(t, p, space, swept[i])
				foreseen(t, space, swept[i])
			}
		})
	}
	for i := range swept {
		next <- i
	}
	close(next)
	wg.Wait()
	refused := slices.DeleteFunc(slices.Clone(reasons), func(r string) bool { return r == "" })
	compiling := float64(len(swept)-len(refused)) / float64(len(swept))
	t.Logf("%d edits, %d built, %.1f %% compile", len(edits), len(swept), 100*compiling)
	for _, r := range refused[:min(len(refused), 20)] {
		t.Log(r)
	}
	if compiling < minCompiling {
		t.Errorf("only %.1f %% of the mutants compile", 100*compiling)
	}
}

// spread takes at most n of the edits, evenly.
func spread(edits []mutate.Edit, n int) []mutate.Edit {
	if len(edits) <= n {
		return edits
	}
	out := make([]mutate.Edit, n)
	for i := range out {
		out[i] = edits[i*len(edits)/n]
	}
	return out
}

// buildAlone builds the mutant of one edit and returns why it was refused, "" if it was not.
func buildAlone(t *testing.T, p *analysis.Program, space *mutate.Space, e mutate.Edit) string {
	m, err := space.Mutant(context.Background(), []mutate.Edit{e})
	var refusal *mutate.Refusal
	if errors.As(err, &refusal) {
		return strings.TrimSpace(refusal.Error())
	}
	if err != nil {
		t.Errorf("%s:%d %s: %v", e.File, e.Line, e.Operator, err)
		return err.Error()
	}
	for name, src := range m.Files {
		if err := keeps(p.File(name).Source, src, onlyAdds(space, m.Edits)); err != nil {
			t.Errorf("%s:%d %s: %s: %v", e.File, e.Line, e.Operator, name, err)
		}
		formatted, err := format.Source(src)
		if err != nil {
			t.Errorf("%s:%d %s: %s does not parse: %v", e.File, e.Line, e.Operator, name, err)
		} else if gofmted(p.File(name).Source) && !bytes.Equal(formatted, src) {
			t.Errorf("%s:%d %s: %s is not gofmt-ed", e.File, e.Line, e.Operator, name)
		}
	}
	return ""
}

// onlyAdds says whether edits leave the program's own text in its order: what a call is given may be evaluated
// in a section before it.
func onlyAdds(space *mutate.Space, edits []mutate.Edit) bool {
	return !slices.ContainsFunc(edits, func(e mutate.Edit) bool {
		return !space.Operator(e.Operator).Adds || e.Form == "before-call" || e.Form == "value"
	})
}

func gofmted(src []byte) bool {
	formatted, err := format.Source(src)
	return err == nil && bytes.Equal(formatted, src)
}

// keeps proves that a mutant has every comment of the original and, if its
// edit only adds, every token in the same order.
func keeps(original, mutant []byte, all bool) error {
	was, is := tokens(original), tokens(mutant)
	left := make(map[string]int)
	for _, tok := range is {
		left[tok]++
	}
	i := 0
	for _, tok := range was {
		if left[tok]--; strings.HasPrefix(tok, "/") && len(tok) > 1 && left[tok] < 0 {
			return fmt.Errorf("lost the comment %q", tok)
		}
		for all && i < len(is) && is[i] != tok {
			i++
		}
		if i == len(is) {
			return fmt.Errorf("lost or moved %q", tok)
		}
		i++
		if !all {
			i = 0
		}
	}
	return nil
}

// tokens lists a source's tokens and comments, without automatic semicolons and white space.
func tokens(src []byte) []string {
	fset := token.NewFileSet()
	var s scanner.Scanner
	s.Init(fset.AddFile("", -1, len(src)), src, nil, scanner.ScanComments)
	var out []string
	for {
		_, tok, lit := s.Scan()
		switch {
		case tok == token.EOF:
			return out
		case tok == token.SEMICOLON:
		case lit == "":
			out = append(out, tok.String())
		default:
			out = append(out, strings.Join(strings.Fields(lit), " "))
		}
	}
}

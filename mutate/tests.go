package mutate

import (
	"fmt"
	"go/ast"
	"maps"
	"slices"

	"mendel/analysis"
	"mendel/mutate/internal/testrules"
	"mendel/mutate/internal/tree"
)

// An Option changes what a Space enumerates.
type Option func(*Space)

// IncludeTests lets the files of tests be edited too, but never what they
// assert: see package testrules.
func IncludeTests(s *Space) { s.tests = true }

// editable reports whether a file's functions may be edited.
func (s *Space) editable(f *analysis.File) bool { return !f.Generated && (!f.Test || s.tests) }

// allows reports whether an edit of a function may be offered: in a test's own
// statements not around an assertion, nor around the whole body.
func (fn *Function) allows(e *Edit) bool {
	if !fn.File.Test {
		return true
	}
	r := fn.space.rules(fn.original())
	at := fn.original().Node(e.Node)
	if at == nil || !r.Own(fn.original(), fn.Node) {
		return true
	}
	if at == fn.Node || at == ast.Node(fn.Body) {
		return false
	}
	st := Innermost(fn.Statements(), at)
	if st.Stmt == nil {
		return false
	}
	covered := st.List[st.Index:min(st.Index+max(e.Count, 1), len(st.List))]
	return !slices.ContainsFunc(covered, func(s ast.Stmt) bool { return r.Asserts(fn.ID(s)) })
}

// rules are those of a file of tests, found once.
func (s *Space) rules(t *tree.Original) *testrules.Rules {
	s.rulesMu.Lock()
	defer s.rulesMu.Unlock()
	r := s.testRules[t]
	if r == nil {
		r = testrules.Of(t, func(lit *ast.FuncLit) bool { return s.index.started[lit] })
		if s.testRules == nil {
			s.testRules = make(map[*tree.Original]*testrules.Rules)
		}
		s.testRules[t] = r
	}
	return r
}

// keepsTests returns why edits break the rules of tests; nil if they do not.
func (m *Mutation) keepsTests() error {
	for _, name := range slices.Sorted(maps.Keys(m.files)) {
		f := m.files[name]
		if !f.Original.File.Test {
			continue
		}
		if why := m.space.rules(f.Original).Breach(f); why != "" {
			return fmt.Errorf("%s: %s", name, why)
		}
	}
	return nil
}

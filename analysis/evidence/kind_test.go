package evidence_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"

	"mendel/analysis/evidence"
)

// Each kind that is declared has a row, and each row all that belongs to a kind.
func TestKinds(t *testing.T) {
	declared := declaredKinds(t)
	var rows []string
	gravities := map[int]evidence.Kind{}
	for _, row := range evidence.Kinds {
		k := row.Kind
		rows = append(rows, string(k))
		if row.Words == "" || row.Rule == "" || !strings.HasSuffix(row.Doc, ".") || !strings.HasSuffix(row.Help, ".") {
			t.Errorf("%s lacks words, the name of a rule, or a sentence: %+v", k, row)
		}
		if other, twice := gravities[row.Gravity]; twice || row.Gravity <= 0 {
			t.Errorf("%s has gravity %d, as %q", k, row.Gravity, other)
		}
		gravities[row.Gravity] = k
		if !k.Known() || k.Words() != row.Words || k.Hangs() != row.Hangs || k.Concurrent() != row.Concurrent || k.Gravity() != row.Gravity {
			t.Errorf("%s is not what its row says: %+v", k, row)
		}
	}
	slices.Sort(rows)
	if slices.Sort(declared); !slices.Equal(rows, declared) {
		t.Errorf("rows for %q, declared are %q", rows, declared)
	}
	if k := evidence.Kind("hunger"); k.Known() || k.Words() != "hunger" || k.Rank() != evidence.Timeout.Rank() || k.Gravity() != 0 {
		t.Error("a kind that is not known has more than its name")
	}
}

// declaredKinds are the texts of the constants of type Kind.
func declaredKinds(t *testing.T) (found []string) {
	file, err := parser.ParseFile(token.NewFileSet(), "kind.go", nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if id, ok := spec.Type.(*ast.Ident); ok && id.Name == "Kind" {
			for _, v := range spec.Values {
				found = append(found, strings.Trim(v.(*ast.BasicLit).Value, `"`))
			}
		}
		return true
	})
	return found
}

// What says more about a cause comes first.
func TestRank(t *testing.T) {
	telling := []evidence.Kind{evidence.Race, evidence.Deadlock, evidence.Blocked, evidence.Panic, evidence.TestFailure, evidence.Timeout}
	if !slices.IsSortedFunc(telling, func(a, b evidence.Kind) int { return a.Rank() - b.Rank() }) {
		t.Error("the kinds are not ordered by what they tell")
	}
}

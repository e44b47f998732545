package rules

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"

	"mendel/analysis/locks/changes"
	"mendel/mutate"
)

// Each flag that package mutate declares has a row, with all that belongs to it, and none has two.
func TestFlags(t *testing.T) {
	var rows []string
	for i, f := range Flags {
		rows = append(rows, string(f.Name))
		if f.Words == "" || f.From == "" || f.Gravity <= ofUnknown {
			t.Errorf("%s lacks something: %+v", f.Name, f)
		}
		if i > 0 && Flags[i-1].Gravity < f.Gravity {
			t.Errorf("%s is graver than %s, which comes first", f.Name, Flags[i-1].Name)
		}
		if f.Elsewhere && !f.Workaround {
			t.Errorf("%s leaves something elsewhere and is no workaround", f.Name)
		}
	}
	declared := constantsOf(t, "../../mutate/edit.go", "Flag")
	slices.Sort(rows)
	if slices.Sort(declared); !slices.Equal(rows, declared) || len(rows) == 0 {
		t.Errorf("rows for %q, declared are %q", rows, declared)
	}
}

// Each finding of the model of locks gives one flag.
func TestFindingsGiveFlags(t *testing.T) {
	given := map[changes.Kind]mutate.Flag{}
	for _, f := range Flags {
		for _, kind := range f.Findings {
			if other, twice := given[kind]; twice {
				t.Errorf("%s gives %s and %s", kind, other, f.Name)
			}
			given[kind] = f.Name
		}
	}
	declared := constantsOf(t, "../../analysis/locks/changes/compare.go", "Kind")
	for _, kind := range declared {
		if given[changes.Kind(kind)] == "" {
			t.Errorf("%s gives no flag", kind)
		} else if got := flagFor(changes.Kind(kind)); got != given[changes.Kind(kind)] {
			t.Errorf("%s gives %s", kind, got)
		}
	}
	if len(given) != len(declared) || len(declared) == 0 {
		t.Errorf("%d kinds of findings give flags, %d are declared", len(given), len(declared))
	}
}

// A flag that is not in the table has its name, and makes no workaround.
func TestUnknownFlag(t *testing.T) {
	f := FlagOf("odd")
	if f.Words != "flagged odd" || f.Gravity != ofUnknown || len(Workaround([]mutate.Flag{"odd"})) > 0 {
		t.Errorf("%+v", f)
	}
	if g := Gravest([]mutate.Flag{mutate.Blocks, mutate.Serialises, "odd"}); g != ofSerialising {
		t.Errorf("the gravest has gravity %d", g)
	}
	if g := Gravest(nil); g != 0 {
		t.Errorf("no flag has gravity %d", g)
	}
}

// constantsOf are the texts of the constants of a type that a file declares.
func constantsOf(t *testing.T, name, typ string) (found []string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if id, ok := spec.Type.(*ast.Ident); ok && id.Name == typ {
			for _, v := range spec.Values {
				found = append(found, strings.Trim(v.(*ast.BasicLit).Value, `"`))
			}
		}
		return true
	})
	return found
}

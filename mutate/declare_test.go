package mutate_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mendel/analysis"
	"mendel/mutate"
	"mendel/mutate/internal/mutatetest"
)

// What a NewLock's Type says is declared instead of a mutex: qualified as the
// file imports the package, and a channel that is a variable is made.
func TestDeclareTypes(t *testing.T) {
	const src = `package p

import gosync "sync"

var mu gosync.Mutex

type box struct {
	n int
}

var total int

func run(b *box) {
	count := 0
	go func() { count++ }()
	b.n++
	total++
}
`
	for _, tt := range []struct{ kind, name, beside, typ, want string }{
		{analysis.LocalLock, "done", "count := 0", "chan struct{}", "\tdone := make(chan struct{})\n\tcount := 0\n"},
		{analysis.LocalLock, "wg", "count := 0", "sync.WaitGroup", "\tvar wg gosync.WaitGroup\n\tcount := 0\n"},
		{analysis.PackageLock, "stop", "total int", "chan struct{}", "var stop = make(chan struct{})\nvar total int\n"},
		{analysis.PackageLock, "ready", "total int", "atomic.Bool", "var ready atomic.Bool\nvar total int\n"},
		{analysis.FieldLock, "once", "n int", "sync.Once", "\tonce gosync.Once // sets n\n\tn    int\n"},
		{analysis.FieldLock, "guard", "n int", "", "\tguard gosync.Mutex // guards n\n\tn     int\n"},
		{analysis.FieldLock, "free", "n int", "chan struct{}", ""}, // nobody would make it
	} {
		t.Run(tt.name, func(t *testing.T) {
			offset := strings.Index(src, tt.beside)
			op := &mutate.Operator{Name: "declares", Doc: "d", Edits: func(fn *mutate.Function) []mutate.Edit {
				e := fn.NewEdit("declares", fn.Node)
				e.Lock = &analysis.Lock{Expr: tt.name, Key: tt.name, New: &analysis.NewLock{
					Kind: tt.kind, Name: tt.name, File: "in.go", Offset: offset, Type: tt.typ,
				}}
				return []mutate.Edit{e}
			}, Apply: func(m *mutate.Mutation, e mutate.Edit) error {
				if tt.kind == analysis.LocalLock {
					return m.Append("in.go", e.Node, "_ = &"+tt.name)
				}
				return nil
			}}
			dir := t.TempDir()
			for name, text := range map[string]string{"in.go": src, "go.mod": "module example.com/p\n\ngo 1.25\n", "a.go": "package p\n\nimport _ \"sync/atomic\"\n"} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			p, n := mutatetest.Load(t, dir, []string{"*"}, []string{"run"})
			space, err := mutate.NewSpace(p, n, []*mutate.Operator{op})
			if err != nil {
				t.Fatal(err)
			}
			m, err := space.Mutant(context.Background(), space.Edits()[:1])
			if tt.want == "" {
				if err == nil {
					t.Fatal("a channel field is declared")
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := string(m.Files[p.File("in.go").Name]); !strings.Contains(got, tt.want) {
				t.Errorf("got\n%s\nwant in it\n%s", got, tt.want)
			}
		})
	}
}

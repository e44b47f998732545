package analysis

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mendel/internal/gotool"
)

// What keeps the go command from listing a package reaches the user, with the way
// out that it names.
func TestLoadOutdatedGoMod(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.25\n\nrequire (\n\texample.com/a v1.0.0\n\texample.com/b v1.1.0\n)\n\n" +
			"replace (\n\texample.com/a => ./a\n\texample.com/b => ./b\n)\n",
		"m_test.go": "package m\n\nimport _ \"example.com/a\"\n",
		"a/go.mod":  "module example.com/a\n\ngo 1.25\n\nrequire example.com/b v1.2.0\n",
		"a/a.go":    "package a\n\nimport _ \"example.com/b\"\n",
		"b/go.mod":  "module example.com/b\n\ngo 1.25\n",
		"b/b.go":    "package b\n",
	} {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	tool, err := gotool.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	_, err = Load(t.Context(), tool, Target{})
	if err == nil || !strings.Contains(err.Error(), "updates to go.mod needed") || !strings.Contains(err.Error(), "go mod tidy") {
		t.Errorf("%v", err)
	}
}

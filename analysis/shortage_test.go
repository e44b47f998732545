//go:build unix

package analysis

import (
	"os"
	"path/filepath"
	"testing"

	"mendel/internal/gotool"
)

// A compiler that the system kills while the program is loaded is no error of
// the program's: it is loaded once more.
func TestLoadRetry(t *testing.T) {
	if testing.Short() {
		t.Skip("builds with the go command")
	}
	dir, killed := t.TempDir(), filepath.Join(t.TempDir(), "killed")
	for name, text := range map[string]string{
		"go.mod":     "module example.com/m\n\ngo 1.25\n",
		"m.go":       "package m\n\nimport \"example.com/m/lib\"\n\nvar M = lib.N\n",
		"lib/lib.go": "package lib\n\n// " + dir + ", which the build cache does not know\nvar N int\n",
		"compile":    "#!/bin/sh\ncase $1 in\n*/compile) if test $2 != -V=full && mkdir " + killed + " 2>/dev/null; then kill -9 $$; fi;;\nesac\nexec \"$@\"\n",
	} {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("GOFLAGS", "-toolexec="+filepath.Join(dir, "compile"))
	tool, err := gotool.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Load(t.Context(), tool, Target{Package: "."}); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(killed); err != nil {
		t.Errorf("nobody was killed: %v", err)
	}
}

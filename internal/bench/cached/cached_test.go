package cached

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestPackagesWithTests(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{
		"go.mod", "a.go", "a_test.go", "sub/x_test.go", "sub/deep/y_test.go", "plain/b.go",
		"testdata/z_test.go", "_old/z_test.go", ".git/z_test.go", "vendor/v/z_test.go", "nested/go.mod", "nested/z_test.go",
	} {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := packagesWithTests(dir)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{".", "sub", "sub/deep"}; !slices.Equal(got, want) {
		t.Errorf("packages %q, want %q", got, want)
	}
}

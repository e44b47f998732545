package trial

import (
	"os"
	"path/filepath"
	"testing"
)

func TestFirstDifference(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(dir string) error
		want   string
	}{
		{"alike", func(string) error { return nil }, ""},
		{"other content", func(dir string) error { return os.WriteFile(filepath.Join(dir, "sub", "b"), []byte("y"), 0o666) }, "sub/b"},
		{"other mode", func(dir string) error { return os.Chmod(filepath.Join(dir, "a"), 0o600) }, "a"},
		{"one more", func(dir string) error { return os.WriteFile(filepath.Join(dir, "c"), nil, 0o666) }, "c"},
		{"one less", func(dir string) error { return os.Remove(filepath.Join(dir, "a")) }, "a"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var trees [2]string
			for i := range trees {
				trees[i] = t.TempDir()
				if err := os.Mkdir(filepath.Join(trees[i], "sub"), 0o777); err != nil {
					t.Fatal(err)
				}
				for _, name := range []string{"a", filepath.Join("sub", "b")} {
					if err := os.WriteFile(filepath.Join(trees[i], name), []byte("x"), 0o644); err != nil {
						t.Fatal(err)
					}
				}
			}
			if err := tt.change(trees[1]); err != nil {
				t.Fatal(err)
			}
			got, err := firstDifference(trees[0], trees[1])
			if err != nil || got != tt.want {
				t.Errorf("%q, %v, want %q", got, err, tt.want)
			}
		})
	}
}

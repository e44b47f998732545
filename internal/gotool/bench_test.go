//go:build unix

package gotool

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"golang.org/x/tools/txtar"
)

// BenchmarkBuildTest changes one file of a package at every turn.
func BenchmarkBuildTest(b *testing.B) {
	for _, race := range []bool{false, true} {
		b.Run(fmt.Sprintf("race=%t", race), func(b *testing.B) {
			dir := b.TempDir()
			for _, file := range txtar.Parse([]byte(usesDep)).Files {
				name := filepath.Join(dir, filepath.FromSlash(file.Name))
				if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o777), os.WriteFile(name, file.Data, 0o666)); err != nil {
					b.Fatal(err)
				}
			}
			tool, err := Open(b.Context(), filepath.Join(dir, "main"))
			if err != nil {
				b.Fatal(err)
			}
			if race && tool.RaceErr != nil {
				b.Skip(tool.RaceErr)
			}
			output := filepath.Join(b.TempDir(), "out")
			build := func(i int) {
				source := fmt.Sprintf("package dep\nfunc Dep() string { return \"%s %d\" }\n", b.Name(), i)
				err := tool.BuildTest(b.Context(), BuildOptions{
					Package: ".", Race: race, Output: output,
					Overlay: Overlay{filepath.Join(dir, "main", "nested", "dep.go"): []byte(source)},
				})
				if err != nil {
					b.Fatal(err)
				}
			}
			build(-1)
			for i := 0; b.Loop(); i++ {
				build(i)
			}
		})
	}
}

// BenchmarkRun measures what containment adds to a process that ends at once.
func BenchmarkRun(b *testing.B) {
	o := helper("exit")
	b.Run("contained", func(b *testing.B) {
		for b.Loop() {
			if _, err := Run(b.Context(), o); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("bare", func(b *testing.B) {
		for b.Loop() {
			_ = exec.Command(o.Path, o.Args...).Run() // exit status 3
		}
	})
}

package instrument

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"mendel/internal/gotool"
)

// Tests can be run again and again in one process, and each time begin with
// the program as it was: the modules of testdata/again, with a driver that
// resets them before each of two runs of their tests.
func TestAgain(t *testing.T) {
	eachArchive(t, 1, "again/*.txtar", func(t *testing.T, _ string, archive *txtar.Archive) {
		s := load(t, extract(t, archive), ".")
		o, problems := s.overlay(t, nil)
		for _, u := range problems {
			t.Error(u)
		}
		binary := s.build(t, o)
		result, err := gotool.Run(t.Context(), gotool.RunOptions{
			Path: binary, Dir: s.tool.Dir, Args: []string{"-test.run=^TestZzMendel$"}, Env: []string{"FAKE_DRIVER=1"},
		})
		if err != nil {
			t.Fatal(err)
		}
		got, _, _ := strings.Cut(string(result.Output), "PASS\n")
		if diff := cmp.Diff(strings.Split(string(archive.Files[0].Data), "\n"), strings.Split(got, "\n")); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	})
}

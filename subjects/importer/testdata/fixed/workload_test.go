package importer

import (
	"fmt"
	"strings"
	"testing"
)

// BenchmarkWorkload imports long files; to take their lines apart needs no lock.
func BenchmarkWorkload(b *testing.B) {
	const count, lines = 12, 3000
	files := make(map[string]string, count)
	for i := range count {
		files[fmt.Sprint("file ", i)] = strings.Repeat("lamp;1\nchair;2\n", lines)
	}
	files["malformed"] = "lamp;1\nlamp\n"
	for b.Loop() {
		im := New()
		im.Import(files)
		if im.Stock("lamp") != count*lines || len(im.Errs()) != 1 {
			b.Fatalf("%d lamps and %d refused, want %d and one", im.Stock("lamp"), len(im.Errs()), count*lines)
		}
	}
}

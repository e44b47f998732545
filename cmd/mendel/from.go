package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"mendel"
)

// evidenceFile is the absolute name of what --from names. What can be read only
// once, standard input ("-") or a pipe, is kept in the output directory, since
// a repair that goes on reads it again.
func evidenceFile(name, out string, stdin io.Reader) (string, error) {
	if name == "-" {
		return mendel.KeepEvidence(out, stdin)
	}
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return "", fmt.Errorf("find the evidence file: %w", err)
	case info.IsDir():
		return "", fmt.Errorf("%s is a directory; --from names a file, or - for standard input", name)
	case info.Mode().IsRegular():
		return filepath.Abs(name)
	}
	f, err := os.Open(name)
	if err != nil {
		return "", fmt.Errorf("read the evidence: %w", err)
	}
	defer f.Close()
	return mendel.KeepEvidence(out, f)
}

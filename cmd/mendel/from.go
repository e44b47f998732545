package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"mendel"
)

// evidenceFile is the absolute name of what --from names, and what people know
// it by if that is not its name. What can be read only once, standard input
// ("-") or a pipe, is kept in the output directory, since a repair that goes on
// reads it again.
func evidenceFile(name, out string, stdin io.Reader) (file, known string, err error) {
	if name == "-" {
		file, err = mendel.KeepEvidence(out, stdin)
		return file, "standard input", err
	}
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return "", "", fmt.Errorf("find the evidence file: %w", err)
	case info.IsDir():
		return "", "", fmt.Errorf("%s is a directory; --from names a file, or - for standard input", name)
	case info.Mode().IsRegular():
		file, err = filepath.Abs(name)
		return file, "", err
	}
	f, err := os.Open(name)
	if err != nil {
		return "", "", fmt.Errorf("read the evidence: %w", err)
	}
	defer f.Close()
	file, err = mendel.KeepEvidence(out, f)
	return file, name, err
}

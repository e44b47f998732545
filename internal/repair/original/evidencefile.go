package original

import (
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"mendel/internal/gotool"
	"mendel/internal/result"
)

// EvidenceFile is the absolute name of the file that a user names as evidence,
// for Wanted.From, and what people know it by, for Wanted.FromName, if that is not
// its name. A directory stands for the result of the repair in it. What can be read
// only once, standard input ("-") or a pipe, is kept in the output directory, since a repair that goes on
// reads it again.
func EvidenceFile(name, out string, stdin io.Reader) (file, known string, err error) {
	if name == "-" {
		file, err = keepEvidence(out, stdin)
		return file, "standard input", err
	}
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return "", "", fmt.Errorf("find the evidence file: %w", err)
	case info.IsDir():
		if _, err := os.Stat(filepath.Join(name, result.Name)); err != nil {
			return "", "", fmt.Errorf("%s is a directory, and no repair has ended in it; --from names a file, or - for standard input", name)
		}
		return EvidenceFile(filepath.Join(name, result.Name), out, stdin)
	case info.Mode().IsRegular():
		file, err = filepath.Abs(name)
		return file, "", err
	}
	f, err := os.Open(name)
	if err != nil {
		return "", "", fmt.Errorf("read the evidence: %w", err)
	}
	defer f.Close()
	file, err = keepEvidence(out, f)
	return file, name, err
}

// keepEvidence copies what can be read only once, such as standard input, into
// an output directory, under a name that depends on the content, and returns
// that name.
func keepEvidence(out string, r io.Reader) (name string, err error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return "", fmt.Errorf("read the evidence: %w", err)
	}
	if err := result.PrepareOut(out); err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	name = filepath.Join(out, fmt.Sprintf("from-%x.txt", sum[:4]))
	if err := gotool.WriteFile(name, text); err != nil {
		return "", fmt.Errorf("keep the evidence: %w", err)
	}
	return name, nil
}

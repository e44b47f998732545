package kernel

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Dir is where a Go installation (1.26 or later) keeps GoKer, the
// blocking-bug kernels of GoBench (Yuan et al., CGO 2021), below GOROOT.
const Dir = "src/runtime/testdata/testgoroutineleakprofile/goker"

// A Kernel is a small program with a real blocking bug, made into a package
// with a test.
type Kernel struct {
	Name   string // "cockroach10214": the package's name too
	Entry  string // the function the test calls
	Source []byte // the package, formatted

	Registered string // the name under which the Go installation knows it
}

// Read adapts the kernels in a directory, all of them or those named.
// Once is described at adaptKernel.
func Read(dir string, only []string, once bool) ([]Kernel, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, fmt.Errorf("list the kernels: %w", err)
	}
	missing := slices.Clone(only)
	var kernels []Kernel
	for _, name := range names {
		base := strings.TrimSuffix(filepath.Base(name), ".go")
		if base == "main" || len(only) > 0 && !slices.Contains(only, base) {
			continue
		}
		missing = slices.DeleteFunc(missing, func(m string) bool { return m == base })
		src, err := os.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("read a kernel: %w", err)
		}
		k, err := adaptKernel(name, src, once)
		if err != nil {
			return nil, fmt.Errorf("adapt a kernel to a test: %w", err)
		}
		kernels = append(kernels, k)
	}
	if len(missing) > 0 {
		return nil, fmt.Errorf("no kernel %s in %s; kernels come with Go 1.26 or later", strings.Join(missing, ", "), dir)
	}
	if len(kernels) == 0 {
		return nil, fmt.Errorf("no kernels in %s; they come with Go 1.26 or later", dir)
	}
	return kernels, nil
}

// WriteModule writes the kernel as a module of its own into a directory, which
// it makes. The kernel is no test file, so that it can be repaired.
func (k Kernel) WriteModule(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fmt.Errorf("make the module of kernel %s: %w", k.Name, err)
	}
	for name, text := range map[string]string{
		"go.mod":            "module example.com/goker/" + k.Name + "\n\ngo 1.25\n",
		k.Name + ".go":      string(k.Source),
		k.Name + "_test.go": k.Test(),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			return fmt.Errorf("write the module of kernel %s: %w", k.Name, err)
		}
	}
	return nil
}

// Test is the source of the kernel's test.
func (k Kernel) Test() string {
	return fmt.Sprintf("package %s\n\nimport \"testing\"\n\nfunc Test%s(t *testing.T) {\n\t%s()\n}\n", k.Name, k.Entry, k.Entry)
}

package gotool

import (
	"fmt"
	"go/version"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"golang.org/x/mod/modfile"
)

// CheckLanguage fails, with a way out, if a module is in a newer language ("go1.27") than
// this Mendel reads, which is that of the Go that built it.
func (t *Toolchain) CheckLanguage(module, language string) error {
	return checkLanguage(runtime.Version(), module, language, t.Version)
}

func checkLanguage(own, module, language, toolchain string) error {
	built := ""
	for field := range strings.FieldsSeq(own) { // "devel go1.28-1234abcd date" has it second
		if v, _, _ := strings.Cut(field, "-"); version.IsValid(v) {
			built = v
			break
		}
	}
	if built == "" || version.Compare(version.Lang(language), version.Lang(built)) <= 0 {
		return nil
	}
	return fmt.Errorf("module %s is in %s, and this Mendel was built with %s, which cannot read that; build it anew, in a clone of it: GOTOOLCHAIN=%s go install ./cmd/mendel",
		module, version.Lang(language), built, toolchain)
}

// checkModule is CheckLanguage of the module around Dir. What is wrong with go.mod otherwise the
// go command says better.
func (t *Toolchain) checkModule() error {
	name := filepath.Join(t.ModuleDir, "go.mod")
	text, err := os.ReadFile(name)
	if err != nil {
		return nil
	}
	f, err := modfile.ParseLax(name, text, nil)
	if err != nil || f.Go == nil || f.Module == nil {
		return nil
	}
	return t.CheckLanguage(f.Module.Mod.Path, "go"+f.Go.Version)
}

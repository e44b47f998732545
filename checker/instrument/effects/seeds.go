package effects

import (
	"strings"

	"golang.org/x/tools/go/ssa"
)

// seed is what a function does that the analysis does not look into: what
// synchronises, reflects, or is not written in Go.
func seed(fn *ssa.Function) *summary {
	name := fn.String()
	if words, ok := seeds[name]; ok {
		return parse(words)
	}
	if r := fn.Signature.Recv(); r != nil && (strings.HasSuffix(r.Type().String(), "io.PipeReader") || strings.HasSuffix(r.Type().String(), "io.PipeWriter")) {
		return &summary{} // a shim replaces it
	}
	pkg := ""
	if fn.Pkg != nil {
		pkg = fn.Pkg.Pkg.Path()
	} else if r := fn.Signature.Recv(); r != nil && r.Pkg() != nil {
		pkg = r.Pkg().Path()
	}
	switch pkg {
	case "sync/atomic", "internal/runtime/atomic":
		return atomicSeed(fn)
	case "reflect", "internal/reflectlite":
		return reflectSeed(fn)
	case "sync", "internal/sync", "runtime", "internal/poll", "time", "context", "unsafe", "internal/race", "internal/testlog", "internal/godebug", "unique", "weak":
		return &summary{}
	}
	return nil
}

// parse reads words such as "0r 1w": an index and what is done to that parameter.
func parse(words string) *summary {
	s := &summary{effects: set[effect]{}, results: set[place]{}}
	for w := range strings.FieldsSeq(words) {
		if w[0] == '$' {
			s.effects[effect{what: w}] = true
			continue
		}
		i := int(w[0] - '0')
		if w[1:] == "=" {
			s.results[place{parameter: i, field: all}] = true
			continue
		}
		s.effects[effect{place{parameter: i, field: all}, w[1:]}] = true
	}
	return s
}

// atomicSeed is a function or method of package sync/atomic.
func atomicSeed(fn *ssa.Function) *summary {
	if strings.HasPrefix(fn.Name(), "Load") {
		return parse("0l")
	}
	return parse("0S")
}

// reflectSeed is a function or method of package reflect. A Value stands for all
// that it leads to.
func reflectSeed(fn *ssa.Function) *summary {
	name := fn.Name()
	if r := fn.Signature.Recv(); r == nil || !strings.HasSuffix(r.Type().String(), ".Value") {
		switch name {
		case "ValueOf", "Indirect", "Append", "AppendSlice":
			return parse("0=")
		case "Copy":
			return parse("0W 1R")
		case "Swapper":
			return parse("0w")
		case "DeepEqual":
			return parse("0R 1R")
		}
		return &summary{}
	}
	switch {
	case strings.HasPrefix(name, "Set"), name == "Clear", name == "Grow":
		return parse("0W")
	case name == "Type", name == "Kind", name == "IsValid", strings.HasPrefix(name, "Can"), name == "NumField", name == "NumMethod":
		return parse("0=")
	case name == "Call", name == "Send", name == "Recv", name == "Close":
		return &summary{}
	}
	return parse("0R 0=")
}

package goker

import (
	"bufio"
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"mendel/analysis/evidence"
	"mendel/internal/bench/kernel"
	"mendel/internal/bench/programs"
)

// leaksFile is the test in which the Go installation says, below GOROOT, which
// goroutines of each kernel stay blocked.
const leaksFile = "src/runtime/goroutineleakprofile_test.go"

// documentation is what a Go installation says about its kernels.
type documentation struct {
	types map[string]string   // kernel's name to "Resource: AB-BA leak"
	words map[string]string   // kernel's name to what the README says of the bug or its fix
	links map[string]string   // kernel's name to the address of the upstream project's patch
	leaks map[string][]string // name under which it is registered to declared functions, "(*Store).tick"
}

// readDocumentation reads it from GOROOT. A file that is not there leaves its
// part empty.
func readDocumentation(goroot string) (documentation, error) {
	var d documentation
	readme, err := os.ReadFile(filepath.Join(goroot, filepath.FromSlash(kernel.Dir), "README.md"))
	if err != nil && !os.IsNotExist(err) {
		return d, fmt.Errorf("read what is known of the kernels: %w", err)
	}
	d.types = kernelTypes(readme)
	d.words, d.links = kernelWords(readme)
	name := filepath.Join(goroot, filepath.FromSlash(leaksFile))
	src, err := os.ReadFile(name)
	if os.IsNotExist(err) {
		return d, nil
	}
	if err != nil {
		return d, fmt.Errorf("read what is known of the kernels: %w", err)
	}
	d.leaks, err = knownLeaks(name, src)
	return d, err
}

// kernelTypes takes the kinds of bugs from the README's tables, whose rows are
//
//	|[etcd#5509]|[pull request]|[patch]| Resource | Double locking |
func kernelTypes(readme []byte) map[string]string {
	types := map[string]string{}
	for lines := bufio.NewScanner(bytes.NewReader(readme)); lines.Scan(); {
		cells := strings.Split(lines.Text(), "|")
		if len(cells) != 7 || !strings.HasPrefix(cells[1], "[") {
			continue
		}
		name := strings.NewReplacer("[", "", "]", "", "#", "", "/", "").Replace(cells[1])
		types[strings.ToLower(name)] = strings.TrimSpace(cells[4]) + ": " + strings.TrimSpace(cells[5])
	}
	return types
}

var (
	kernelHead  = regexp.MustCompile(`(?m)^## (\w+)/(\d+)\s*$`)
	description = regexp.MustCompile(`(?s)### Description\n(.*?)(?:\n### |\z)`)
	patchLink   = regexp.MustCompile(`(?m)^\[patch\]:\s*(\S+)`)
	sentenceEnd = regexp.MustCompile(`[.!]\s`)
	ofFix       = regexp.MustCompile(`(?i)\b(fix|fixed|patch)\b`)
)

// kernelWords takes from the README what it says of each kernel: the sentences
// about the fix where there are such, else the first two of its description;
// and the address of the upstream patch.
func kernelWords(readme []byte) (words, links map[string]string) {
	words, links = map[string]string{}, map[string]string{}
	heads := kernelHead.FindAllSubmatchIndex(readme, -1)
	for i, h := range heads {
		end := len(readme)
		if i+1 < len(heads) {
			end = heads[i+1][0]
		}
		part := readme[h[1]:end]
		name := strings.ToLower(string(readme[h[2]:h[3]])) + string(readme[h[4]:h[5]])
		if m := patchLink.FindSubmatch(part); m != nil {
			links[name] = string(m[1])
		}
		m := description.FindSubmatch(part)
		if m == nil {
			continue
		}
		all := sentences(string(m[1]))
		said := slices.DeleteFunc(slices.Clone(all), func(s string) bool { return !ofFix.MatchString(s) })
		if len(said) == 0 {
			said = all[:min(2, len(all))]
		}
		words[name] = strings.Join(said, " ")
	}
	return words, links
}

// sentences splits a text, its white space made single blanks.
func sentences(text string) []string {
	text = strings.Join(strings.Fields(text), " ")
	var all []string
	for text != "" {
		end := len(text)
		if at := sentenceEnd.FindStringIndex(text); at != nil {
			end = at[1]
		}
		all = append(all, strings.TrimSpace(text[:end]))
		text = text[end:]
	}
	return all
}

// knownLeaks takes from the source of the runtime's test the functions in which
// goroutines of each kernel are found blocked for ever:
//
//	makeFlakyTest("Moby28462",
//		`monitor_moby28462\(.* \[sync\.Mutex\.Lock\]`,
//
// Of each expression it keeps the declared function: literals have other
// numbers in an adapted kernel.
func knownLeaks(name string, src []byte) (map[string][]string, error) {
	f, err := parser.ParseFile(token.NewFileSet(), name, src, parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("read what is known of the kernels: %w", err)
	}
	leaks := map[string][]string{}
	ast.Inspect(f, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) < 2 {
			return true
		}
		if fun, ok := call.Fun.(*ast.Ident); !ok || fun.Name != "makeTest" && fun.Name != "makeFlakyTest" {
			return true
		}
		registered, ok := literal(call.Args[0])
		if !ok {
			return true
		}
		functions := map[string]bool{}
		for _, arg := range call.Args[1:] {
			if expression, ok := literal(arg); ok {
				head, _, _ := strings.Cut(strings.ReplaceAll(expression, `\`, ""), ".*")
				functions[programs.DeclaredFunction(strings.TrimSuffix(head, "("))] = true
			}
		}
		leaks[registered] = slices.Sorted(maps.Keys(functions))
		return true
	})
	return leaks, nil
}

// literal is the value of a string literal.
func literal(x ast.Expr) (string, bool) {
	lit, ok := x.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return "", false
	}
	s, err := strconv.Unquote(lit.Value)
	return s, err == nil
}

// blockedAt reports whether a goroutine of a failure is in one of some functions.
func blockedAt(f evidence.Failure, functions []string) bool {
	for _, s := range f.Stacks {
		for _, frame := range s.Frames {
			in := programs.DeclaredFunction(evidence.ShortFunc(frame.Func))
			if slices.ContainsFunc(functions, func(name string) bool {
				// A literal in a function that was inlined is named after both.
				return in == name || strings.HasSuffix(in, "."+name)
			}) {
				return true
			}
		}
	}
	return false
}

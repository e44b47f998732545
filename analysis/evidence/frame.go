package evidence

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"mendel/analysis/evidence/symbol"
)

// ShortFunc drops the package from a function's name as the runtime prints it:
// "example.com/bank.(*Account).Transfer" gives "(*Account).Transfer".
func ShortFunc(fn string) string {
	if n := len(symbol.PackageOf(fn)); n > 0 {
		return fn[n+1:]
	}
	return fn
}

// library has the first elements of the standard library's import paths,
// which no module can have.
var library = set(`archive arena bufio builtin bytes cmp compress container context
		crypto database debug embed encoding errors expvar flag fmt go hash html image index internal io
		iter log maps math mime net os path plugin reflect regexp runtime simd slices sort strconv strings
		structs sync syscall testing text time unicode unique unsafe uuid vendor weak`)

func set(names string) map[string]bool {
	m := make(map[string]bool)
	for _, name := range strings.Fields(names) {
		m[name] = true
	}
	return m
}

// Standard reports whether a function, as the runtime prints it, is part of the
// standard library, or of what Mendel compiles into a program.
func Standard(fn string) bool {
	p := symbol.PackageOf(fn)
	first, _, _ := strings.Cut(p, "/")
	return p == "" || library[first] || strings.HasPrefix(p, symbol.Root)
}

// innermost is the frame at which a goroutine stands: the first outside the
// standard library, else the first outside the runtime, else the first. A
// panicking goroutine stands where the first panic was raised, not in the
// deferred functions that ran since.
func innermost(frames []Frame) (Frame, bool) {
	for i, f := range slices.Backward(frames) {
		if f.Func == "panic" {
			frames = frames[i+1:]
			break
		}
	}
	for _, hidden := range []func(string) bool{Standard, symbol.IsRuntime} {
		for _, f := range frames {
			if !hidden(f.Func) {
				return f, true
			}
		}
	}
	if len(frames) == 0 {
		return Frame{}, false
	}
	return frames[0], true
}

// base is the last element of a file name of any operating system.
func base(file string) string {
	return path.Base(strings.ReplaceAll(file, `\`, "/"))
}

// Describe is a frame for people: "(*Account).Transfer account.go:31".
func Describe(f Frame) string {
	return fmt.Sprintf("%s %s:%d", ShortFunc(f.Func), base(f.File), f.Line)
}

// sign makes a signature of a kind and the places of its stacks.
func sign(kind Kind, stacks []Stack, lines bool) string {
	var places []string
	for _, s := range stacks {
		f, ok := innermost(s.Frames)
		if !ok {
			continue
		}
		at := f.Func + " " + base(f.File)
		if lines {
			at += ":" + strconv.Itoa(f.Line)
		}
		places = append(places, at)
	}
	slices.Sort(places)
	return string(kind) + ": " + strings.Join(slices.Compact(places), ", ")
}

// stackLine parses "\t/src/account.go:31 +0x9c fp=..." (indented by a tab in
// dumps, by spaces in race reports) into file and line.
func stackLine(line string) (file string, n int, ok bool) {
	if line == "" || line[0] != '\t' && line[0] != ' ' {
		return "", 0, false
	}
	text := strings.TrimLeft(line, " \t")
	if i := strings.LastIndex(text, " +0x"); i >= 0 {
		text = text[:i]
	}
	colon := strings.LastIndexByte(text, ':')
	if colon <= 0 {
		return "", 0, false
	}
	n, err := strconv.Atoi(text[colon+1:])
	if err != nil || n < 0 {
		return "", 0, false
	}
	return text[:colon], n, true
}

// callName is the function of a call such as "main.f(0x1, {...})" or "main.f()".
func callName(line string) (fn string, ok bool) {
	paren := strings.LastIndexByte(line, '(')
	if paren <= 0 || !strings.HasSuffix(line, ")") || line[0] == ' ' || line[0] == '\t' {
		return "", false
	}
	fn = line[:paren]
	if strings.ContainsAny(fn, " \t") && !strings.Contains(fn, "[") || !strings.Contains(fn, ".") && fn != "panic" {
		return "", false
	}
	return fn, true
}

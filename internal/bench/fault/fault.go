package fault

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Lines finds the fault of the package in a directory by its corrected copy: lines
// by file. Where that only adds lines, of which no lock is one, something was left
// out: then the fault is the statements before and after. Tests and directories
// below take no part. There is an error if the copy changes nothing.
func Lines(dir, fixed string) (map[string][]int, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, fmt.Errorf("list %s: %w", dir, err)
	}
	fault, around := map[string][]int{}, map[string][]int{}
	for _, name := range names {
		base := filepath.Base(name)
		if strings.HasSuffix(base, "_test.go") {
			continue
		}
		old, err := os.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("compare with the corrected copy: %w", err)
		}
		now, err := os.ReadFile(filepath.Join(fixed, base))
		if err != nil {
			return nil, fmt.Errorf("compare with the corrected copy: %w", err)
		}
		before, after := strings.Split(string(old), "\n"), strings.Split(string(now), "\n")
		changes := differences(before, after)
		lines, err := changedIn(name, before, changes)
		if err != nil {
			return nil, err
		}
		if len(lines) > 0 {
			fault[base] = lines
		}
		if lines, err = beside(name, changes); err != nil {
			return nil, err
		}
		if len(lines) > 0 {
			around[base] = lines
		}
	}
	if len(fault) == 0 {
		fault = around
	}
	if len(fault) == 0 {
		return nil, fmt.Errorf("the corrected copy of %s changes nothing", dir)
	}
	return fault, nil
}

// changedIn are the lines of functions that are changed, and those from the first to
// the last change of a function to which a lock was added (to its end if the unlock
// is deferred) or a once, or in which an unlock was moved: it passes these statements.
// A section without an unlock is one from its beginning.
func changedIn(name string, before []string, changes []change) ([]int, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name, nil, 0)
	if err != nil {
		return nil, fmt.Errorf("compare with the corrected copy: %w", err)
	}
	var lines []int
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Body == nil {
			continue
		}
		from, to := fset.Position(fn.Body.Lbrace).Line, fset.Position(fn.Body.Rbrace).Line
		first, last, locks, defers := 0, 0, false, false
		texts := map[string]int{} // 1: removed, 2: added, 3: moved
		for _, c := range changes {
			if c.line <= from || c.line > to || code(c.added) == "" && code(c.removed) == "" {
				continue
			}
			if first == 0 {
				first = c.line
			}
			last = c.line
			if c.removed != "" {
				texts[code(c.removed)] |= 1
				lines = append(lines, c.line)
			} else {
				texts[code(c.added)] |= 2
				last--
				locks = locks || strings.Contains(c.added, "Lock()") || strings.Contains(c.added, ".Do(func")
				if at := taken(before[:c.line-1], from, code(c.added)); at > 0 {
					first, locks = min(first, at), true
				}
				defers = defers || strings.Contains(c.added, "defer ") && strings.Contains(c.added, "nlock()")
			}
		}
		for text, how := range texts {
			locks = locks || how == 3 && strings.HasSuffix(text, "nlock()")
		}
		if defers {
			last = to - 1
		}
		for l := first; l > 0 && l <= last && (locks || defers); l++ {
			lines = append(lines, l)
		}
	}
	slices.Sort(lines)
	return slices.Compact(lines), nil
}

// taken is the line after another one at which the lock of an unlock that is added was
// taken: the section that is not ended begins there. 0: it is no unlock.
func taken(before []string, after int, added string) int {
	lock, ok := strings.CutSuffix(strings.TrimPrefix(added, "defer "), "Unlock()")
	if !ok {
		return 0
	}
	for at := len(before); at > after; at-- {
		if code(before[at-1]) == lock+"Lock()" {
			return at
		}
	}
	return 0
}

// beside are the lines that are removed, and for those that are added the statements
// on either side in the same list, or what encloses the list where there is none. What
// takes the place of a removed line is where that is.
func beside(name string, changes []change) (lines []int, err error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name, nil, 0)
	if err != nil {
		return nil, fmt.Errorf("compare with the corrected copy: %w", err)
	}
	gone := map[int]bool{}
	for _, c := range changes {
		gone[c.line] = gone[c.line] || c.removed != ""
	}
	for _, c := range changes {
		switch {
		case code(c.added) == "" && code(c.removed) == "":
		case c.removed == "" && (gone[c.line] || gone[c.line-1]):
		case c.removed != "":
			lines = append(lines, c.line)
		default:
			lines = append(lines, neighbours(fset, f, c.line)...)
		}
	}
	slices.Sort(lines)
	return slices.Compact(lines), nil
}

// neighbours are the first lines of the statements before and after what would be
// inserted before a line, in the innermost list of statements.
func neighbours(fset *token.FileSet, f *ast.File, line int) []int {
	at := func(p token.Pos) int { return fset.Position(p).Line }
	before, after := 0, 0
	ast.Inspect(f, func(n ast.Node) bool {
		var list []ast.Stmt
		switch n := n.(type) {
		case nil:
			return false
		case *ast.FuncDecl:
			if at(n.Pos()) < line && line <= at(n.End()) {
				before, after = at(n.Pos()), at(n.Pos())
			}
			return true
		case *ast.BlockStmt:
			list = n.List
		case *ast.CaseClause:
			list = n.Body
		case *ast.CommClause:
			list = n.Body
		default:
			return true
		}
		if at(n.Pos()) >= line || line > at(n.End()) {
			return true
		}
		before = at(n.Pos())
		after = before
		for _, s := range list {
			if at(s.Pos()) < line {
				before = at(s.Pos())
			} else if after == at(n.Pos()) {
				after = at(s.Pos())
			}
		}
		return true
	})
	if before == 0 {
		return nil
	}
	return []int{before, after}
}

// code is a line without comments and space.
func code(line string) string {
	line, _, _ = strings.Cut(line, "//")
	return strings.TrimSpace(line)
}

// A change is a line that is removed, or one that is added before a line.
type change struct {
	line           int // of the old text, from 1
	removed, added string
}

// differences are those of a longest common subsequence.
func differences(old, now []string) []change {
	length := make([][]int, len(old)+1)
	for i := range length {
		length[i] = make([]int, len(now)+1)
	}
	for i := len(old) - 1; i >= 0; i-- {
		for k := len(now) - 1; k >= 0; k-- {
			if old[i] == now[k] {
				length[i][k] = 1 + length[i+1][k+1]
			} else {
				length[i][k] = max(length[i+1][k], length[i][k+1])
			}
		}
	}
	var changes []change
	i, k := 0, 0
	for i < len(old) || k < len(now) {
		switch {
		case i < len(old) && k < len(now) && old[i] == now[k]:
			i, k = i+1, k+1
		case k == len(now) || i < len(old) && length[i+1][k] >= length[i][k+1]:
			changes = append(changes, change{line: i + 1, removed: old[i]})
			i++
		default:
			changes = append(changes, change{line: i + 1, added: now[k]})
			k++
		}
	}
	return changes
}

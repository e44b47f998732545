package skipstale

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/dave/dst"

	"mendel/analysis"
	"mendel/analysis/syntax"
	"mendel/mutate"
	"mendel/mutate/fact/scope"
	"mendel/mutate/fact/typetext"
	"mendel/mutate/internal/donefield"
	"mendel/mutate/internal/locked"
	"mendel/mutate/internal/receiver"
	"mendel/mutate/internal/tree"
)

// A reading is where the counter is read before something.
type reading struct {
	fn    *mutate.Function
	recv  *ast.Ident
	lock  string // as it is written there
	at    ast.Stmt
	after bool // behind at, which takes the lock; otherwise before at
	held  bool // the lock is held there
}

// A sharing is a call of a singleflight.Group by which those who ask for the same share a load.
type sharing struct {
	call *ast.CallExpr
	reading
}

// complete finds who drops what is stored, and where the counter is read; ok is false if nobody drops it, or the
// counter cannot be read.
func (s *stale) complete() (ok bool) {
	if s.others(); len(s.drops) == 0 {
		return false
	}
	if s.flight != nil {
		return !slices.ContainsFunc(s.drops, func(d drop) bool { _, ok := s.keyOf(d); return !ok })
	}
	if s.declaration() == nil {
		return false
	}
	if call := shared(s.fn); call != nil {
		around := s.fn.Around()
		s.read, ok = s.before(around[len(around)-1], s.of.Name, call)
		s.shares = []sharing{{call, s.read}}
		return ok
	}
	if s.read, ok = s.before(s.fn, s.of.Name, s.load); !ok {
		return false
	}
	for _, from := range s.fn.Callers() {
		call := shared(from)
		if call == nil {
			continue
		}
		of, ok := receiver.Of(from)
		if !ok || of.Method == from || of.Type != s.of.Type {
			return false
		}
		around := from.Around()
		read, ok := s.before(around[len(around)-1], of.Name, call)
		if !ok {
			return false
		}
		s.shares = append(s.shares, sharing{call, read})
	}
	return true
}

// before finds the last place before something where a function takes the lock, and whose variables are known there,
// or else the statement before which it can take it.
func (s *stale) before(fn *mutate.Function, recv *ast.Ident, what ast.Node) (r reading, ok bool) {
	lock := recv.Name + strings.TrimPrefix(s.lock.Expr, s.of.Name.Name)
	innermost := mutate.Innermost(fn.Statements(), what).Stmt
	if innermost == nil {
		return r, false
	}
	r = reading{fn: fn, recv: recv, lock: lock, at: innermost}
	for _, o := range slices.Backward(fn.Sections()) {
		if o.Lock.Key != s.lock.Key || o.Lock.Expr != lock || o.Again {
			continue
		}
		if o.Holds(innermost) {
			r.held = true
			return r, true
		}
		if o.Acquire.Pos() < what.Pos() && inList(what, o.List) {
			r.at, r.after, r.held = o.Acquire, true, true
			if o.DefersAtOnce() {
				r.at = o.Releases[0]
			}
			return r, true
		}
	}
	return r, true
}

// inList reports whether a node is in a statement of a list.
func inList(n ast.Node, list []ast.Stmt) bool {
	return slices.ContainsFunc(list, func(stmt ast.Stmt) bool { return syntax.Within(n, ast.Node(stmt)) })
}

// A declaration is a struct with a field in it that is stored to.
type declaration struct {
	file   *analysis.File
	fields *ast.StructType
	beside *ast.Field // that is stored to
	name   string     // of the counter
}

// declaration finds the struct that gets the counter; nil: its type has the name already, or it is not at hand.
func (s *stale) declaration() *declaration {
	for _, f := range s.fn.File.Package.Files {
		for n := range ast.Preorder(f.AST) {
			st, ok := n.(*ast.StructType)
			if !ok {
				continue
			}
			for _, field := range st.Fields.List {
				for _, id := range field.Names {
					if f.Package.Info.Defs[id] == s.fields[0] {
						if name := s.counter(); name != "" {
							return &declaration{f, st, field, name}
						}
						return nil
					}
				}
			}
		}
	}
	return nil
}

// counter is a name for the counter that the type does not have yet; "": it has all of them.
func (s *stale) counter() string {
	t := s.object().Type()
	for _, name := range []string{"generation", "epoch", "changes"} {
		if obj, _, _ := types.LookupFieldOrMethod(t, true, s.fn.File.Package.Types, name); obj == nil {
			return name
		}
	}
	return ""
}

func (s *stale) apply(m *mutate.Mutation, e mutate.Edit) error {
	if s.flight != nil {
		return s.applyFlight(m, e)
	}
	d := s.declaration()
	if err := d.add(m, e); err != nil {
		return err
	}
	local, err := s.readings(m, e, d)
	if err != nil {
		return err
	}
	cond := s.of.Name.Name + "." + d.name + " == " + local
	if s.setter != nil {
		err = s.applySetter(m, e, cond)
	} else {
		_, err = s.around(m, e, cond)
	}
	if err != nil {
		return err
	}
	for _, drop := range s.drops {
		if err := drop.insert(m, e, drop.recv.Name+"."+d.name+"++"); err != nil {
			return err
		}
	}
	return nil
}

// add puts the counter into the struct.
func (d *declaration) add(m *mutate.Mutation, e mutate.Edit) error {
	st, ok := m.Of(d.file.Rel, d.fields).(*dst.StructType)
	if !ok || slices.ContainsFunc(st.Fields.List, func(f *dst.Field) bool {
		return slices.ContainsFunc(f.Names, func(id *dst.Ident) bool { return id.Name == d.name })
	}) {
		return mutate.Refuse(e, "another edit changed the type")
	}
	beside, ok := m.Of(d.file.Rel, d.beside).(*dst.Field)
	at := slices.Index(st.Fields.List, beside)
	if !ok || at < 0 {
		return mutate.Refuse(e, "another edit changed the type")
	}
	f := donefield.New(d.name, "int")
	f.Decs.End.Append("// counts the changes that a load must not undo")
	f.Decs.After, beside.Decs.After = max(beside.Decs.After, dst.NewLine), dst.NewLine
	st.Fields.List = slices.Insert(st.Fields.List, at+1, f)
	return nil
}

// readings notes what the counter is before the load, and tells apart by it who shares a load. It returns the name for the
// store to compare.
func (s *stale) readings(m *mutate.Mutation, e mutate.Edit, d *declaration) (local string, err error) {
	local = scope.FreeName(s.of.Method, d.name)
	if err := s.read.insert(m, e, s.lock.RW, local, d.name); err != nil {
		return "", err
	}
	for _, sh := range s.shares {
		name := local
		if sh.fn != s.read.fn {
			name = scope.FreeName(sh.fn, d.name)
			if err := sh.insert(m, e, s.lock.RW, name, d.name); err != nil {
				return "", err
			}
		}
		if err := sh.tell(m, e, name); err != nil {
			return "", err
		}
	}
	return local, nil
}

// insert reads the counter into a variable.
func (r reading) insert(m *mutate.Mutation, e mutate.Edit, rw bool, local, counter string) error {
	file := r.fn.File.Rel
	anchor := m.StmtOf(file, r.at)
	if anchor == nil {
		return mutate.Refuse(e, "another edit changed what comes before the load")
	}
	code := local + " := " + r.recv.Name + "." + counter
	if !r.held {
		lock, unlock := "Lock", "Unlock"
		if rw {
			lock, unlock = "RLock", "RUnlock"
		}
		code = r.lock + "." + lock + "()\n" + code + "\n" + r.lock + "." + unlock + "()"
	}
	return m.InsertSnippet(file, anchor, r.after, code)
}

// tell makes the counter a part of the key.
func (sh sharing) tell(m *mutate.Mutation, e mutate.Edit, local string) error {
	file := sh.fn.File.Rel
	key, ok := m.Of(file, sh.call.Args[0]).(dst.Expr)
	if !ok {
		return mutate.Refuse(e, "another edit changed who shares the load")
	}
	pkg, err := m.Import(file, "strconv")
	if err != nil {
		return err
	}
	number := tree.Expr(pkg + `.Itoa(` + local + `) + " "`).(*dst.BinaryExpr)
	return m.Replace(file, key, &dst.BinaryExpr{X: number, Op: number.Op, Y: dst.Clone(key).(dst.Expr)})
}

// around puts the group under a condition.
func (s *stale) around(m *mutate.Mutation, e mutate.Edit, cond string) (*dst.IfStmt, error) {
	file := s.fn.File.Rel
	var group []dst.Stmt
	for _, stmt := range s.group {
		moved := m.StmtOf(file, stmt)
		if moved == nil {
			return nil, mutate.Refuse(e, "another edit changed what is stored")
		}
		group = append(group, moved)
	}
	last := len(group) - 1
	list, first, ok := m.ListOf(file, group[0])
	if !ok || first+last >= len(*list) || (*list)[first+last] != group[last] {
		return nil, mutate.Refuse(e, "another edit changed what is stored")
	}
	made, err := tree.Snippet("// " + note + "\nif " + cond + " {\n}")
	if err != nil {
		return nil, err
	}
	choice := made[0].(*dst.IfStmt)
	choice.Decs.Before, choice.Decs.After = group[0].Decorations().Before, group[last].Decorations().After
	group[0].Decorations().Before, group[last].Decorations().After = dst.NewLine, dst.NewLine
	choice.Body.List = group
	*list = slices.Replace(*list, first, first+len(group), dst.Stmt(choice))
	return choice, nil
}

// applySetter calls, under the lock and the condition, the variant of the method that stores.
func (s *stale) applySetter(m *mutate.Mutation, e mutate.Edit, cond string) error {
	variant, err := locked.Variant(m, e, s.setter)
	if err != nil {
		return err
	}
	if err := m.Retarget(e, ast.Unparen(s.group[0].(*ast.ExprStmt).X).(*ast.CallExpr), variant); err != nil {
		return err
	}
	choice, err := s.around(m, e, cond)
	if err != nil {
		return err
	}
	if err := m.InsertSnippet(s.fn.File.Rel, choice, false, s.lock.Expr+".Lock()"); err != nil {
		return err
	}
	return m.InsertSnippet(s.fn.File.Rel, choice, true, s.lock.Expr+".Unlock()")
}

// insert puts code at the beginning of the section that drops.
func (d *drop) insert(m *mutate.Mutation, e mutate.Edit, code string) error {
	var behind ast.Stmt = d.section.Acquire
	if d.section.DefersAtOnce() {
		behind = d.section.Releases[0]
	}
	anchor := m.StmtOf(d.fn.File.Rel, behind)
	if anchor == nil {
		return mutate.Refuse(e, "another edit changed %s", d.fn.Name)
	}
	return m.InsertSnippet(d.fn.File.Rel, anchor, true, code)
}

// applyFlight has those who drop what is stored take the entry of the load out, too, and stores where it is still there.
func (s *stale) applyFlight(m *mutate.Mutation, e mutate.Edit) error {
	entries := s.flight.field.Name()
	if _, err := s.around(m, e, s.of.Name.Name+"."+entries+"["+types.ExprString(s.flight.key)+"] == "+s.flight.entry); err != nil {
		return err
	}
	for _, d := range s.drops {
		key, ok := s.keyOf(d)
		if !ok {
			return mutate.Refuse(e, "the entry of the load is not known in %s", d.fn.Name)
		}
		code := "delete(" + d.recv.Name + "." + entries + ", " + key + ")"
		if key == "" {
			text, ok := typetext.Of(d.fn, s.flight.field.Type(), d.section.Acquire.Pos())
			if !ok {
				return mutate.Refuse(e, "the type of %s cannot be written in %s", entries, d.fn.Name)
			}
			code = d.recv.Name + "." + entries + " = make(" + text + ")"
		}
		if err := d.insert(m, e, code); err != nil {
			return err
		}
	}
	return nil
}

package handback

import (
	_ "embed"

	"github.com/dave/dst"

	"mendel/analysis/evidence"
	"mendel/mutate"
	"mendel/mutate/fact/scope"
	"mendel/mutate/internal/tree"
)

//go:embed doc.go
var doc string

// Operator hands on what was meant for somebody who has given up waiting.
var Operator = &mutate.Operator{
	Name: "handback",
	Doc:  doc,
	Prior: map[evidence.Kind]float64{
		evidence.Blocked: 2, evidence.Deadlock: 2, evidence.Timeout: 2,
		evidence.TestFailure: 2, evidence.Panic: 1, evidence.Race: 0.1,
	},
	Faults: []evidence.Fault{evidence.CheckThenAct, evidence.SenderAlone, evidence.ReceiverAlone, evidence.MissedSignal},
	Needs:  "select of one who waits in a list for a channel of his own, with another way out",
	Edits:  edits,
	Apply:  apply,
}

// formTake has what came too late taken as if it had come in time.
const formTake = "take"

// hint is the comment at what is handed on.
const hint = "// chosen already: what it waits for is on its way\n"

func edits(fn *mutate.Function) []mutate.Edit {
	var out []mutate.Edit
	for _, a := range abandons(fn) {
		if a.giver != "" {
			out = append(out, a.edit(""))
		}
		if a.taken != "" {
			out = append(out, a.edit(formTake))
		}
	}
	return out
}

func (a *abandon) edit(form string) mutate.Edit {
	e := a.fn.NewEdit("handback", a.choice, a.choice)
	e.Form = form
	if form == formTake && a.giver != "" {
		e.Belief = 0.6
	}
	return e
}

func apply(m *mutate.Mutation, e mutate.Edit) error {
	fn := m.Function(e.File, e.Node)
	if fn == nil {
		return mutate.Refuse(e, "there is no function around the place")
	}
	for _, a := range abandons(fn) {
		if own := a.edit(e.Form); own.Node == e.Node {
			return a.apply(m, e)
		}
	}
	return mutate.Refuse(e, "nobody gives up waiting there")
}

func (a *abandon) apply(m *mutate.Mutation, e mutate.Edit) error {
	told := map[*mutate.Function]bool{} // the methods that say already whether they found the one who waits
	for _, l := range a.leaves {
		var err error
		switch {
		case l.certain:
			err = l.ask(m, e)
		case l.helper != nil:
			if !told[l.helper] {
				told[l.helper] = true
				if err := l.tell(m, e); err != nil {
					return err
				}
			}
			err = l.asked(m, e)
		case l.removal != nil:
			err = l.inline(m, e)
		default:
			err = l.leaveList(m, e)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// handOn is the code that receives what is on its way, and hands it on.
func (l *leave) handOn(form string) string {
	if form == formTake {
		return hint + l.of.taken
	}
	return hint + l.of.given("<-"+l.of.channel)
}

// ask asks the channel after the list is left, where all send under the lock.
func (l *leave) ask(m *mutate.Mutation, e mutate.Edit) error {
	comm, code := "<-"+l.of.channel, l.of.giver
	if e.Form == formTake {
		comm, code = l.of.comm, l.of.body
	} else if l.of.value {
		comm, code = scope.FreeName(l.of.fn, "late")+" := <-"+l.of.channel, l.of.given(scope.FreeName(l.of.fn, "late"))
	}
	anchor := m.StmtOf(e.File, l.after)
	if anchor == nil {
		return mutate.Refuse(e, "another edit changed how the list is left")
	}
	return m.InsertSnippet(e.File, anchor, true, "select {\ncase "+comm+":\n// chosen already\n"+code+"\ndefault:\n}")
}

// asked has the case ask what the method that leaves the list says.
func (l *leave) asked(m *mutate.Mutation, e mutate.Edit) error {
	call := l.after
	anchor := m.StmtOf(e.File, call)
	if anchor == nil {
		return mutate.Refuse(e, "another edit changed the call that leaves the list")
	}
	stmts, err := tree.Snippet("if !" + l.of.fn.Text(call) + " {\n" + l.handOn(e.Form) + "\n}")
	if err != nil {
		return err
	}
	return m.Replace(e.File, anchor, stmts[0])
}

// tell has the method that leaves the list say whether it found the one who waits.
func (l *leave) tell(m *mutate.Mutation, e mutate.Edit) error {
	file := l.helper.File.Rel
	decl, ok := m.Of(file, l.helper.Node).(*dst.FuncDecl)
	if !ok || decl.Type.Results != nil {
		return mutate.Refuse(e, "another edit changed %s", l.helper.Name)
	}
	removal := m.StmtOf(file, l.removal.stmt)
	if removal == nil {
		return mutate.Refuse(e, "another edit changed how %s leaves the list", l.helper.Name)
	}
	result := &dst.Field{Type: dst.NewIdent("bool")}
	decl.Type.Results = &dst.FieldList{List: []*dst.Field{result}}
	name := scope.FreeName(l.helper, "found")
	if l.removal.key != "" {
		if err := m.InsertSnippet(file, removal, false, "_, "+name+" := "+l.removal.field+"["+l.removal.key+"]"); err != nil {
			return err
		}
		return m.Append(file, l.helper.ID(l.helper.Node), "return "+name)
	}
	exits := returns(l.helper.Body)
	if len(exits) > 0 && l.removal.exit == exits[len(exits)-1] && l.removal.leaves {
		for _, exit := range exits {
			ret, ok := m.Of(file, exit).(*dst.ReturnStmt)
			if !ok {
				return mutate.Refuse(e, "another edit changed %s", l.helper.Name)
			}
			ret.Results = []dst.Expr{dst.NewIdent(map[bool]string{true: "true", false: "false"}[exit == l.removal.exit])}
		}
		return m.Append(file, l.helper.ID(l.helper.Node), "return false")
	}
	result.Names = []*dst.Ident{dst.NewIdent(name)}
	if err := m.InsertSnippet(file, removal, true, name+" = true"); err != nil {
		return err
	}
	return m.Append(file, l.helper.ID(l.helper.Node), "return "+name)
}

// inline has a section in the case itself tell whether it found the one who waits.
func (l *leave) inline(m *mutate.Mutation, e mutate.Edit) error {
	removal, first, last := m.StmtOf(e.File, l.removal.stmt), m.StmtOf(e.File, l.before), m.StmtOf(e.File, l.after)
	if removal == nil || first == nil || last == nil {
		return mutate.Refuse(e, "another edit changed how the list is left")
	}
	if l.removal.exit != nil { // who was found has left
		if err := m.InsertSnippet(e.File, last, true, l.handOn(e.Form)); err != nil || e.Form != formTake {
			return err
		}
		return m.Remove(e.File, m.StmtOf(e.File, l.clause.Body[len(l.clause.Body)-1]))
	}
	name := scope.FreeName(l.of.fn, "found")
	var err error
	if l.removal.key != "" {
		err = m.InsertSnippet(e.File, removal, false, "_, "+name+" := "+l.removal.field+"["+l.removal.key+"]")
	} else if err = m.InsertSnippet(e.File, removal, true, name+" = true"); err == nil {
		err = m.InsertSnippet(e.File, first, false, name+" := false")
	}
	if err != nil {
		return err
	}
	return m.InsertSnippet(e.File, last, true, "if !"+name+" {\n"+l.handOn(e.Form)+"\n}")
}

// leaveList has the case leave the list, and tell whether somebody was there first.
func (l *leave) leaveList(m *mutate.Mutation, e mutate.Edit) error {
	anchor := m.StmtOf(e.File, l.clause.Body[0])
	if anchor == nil {
		return mutate.Refuse(e, "another edit changed the case")
	}
	name, list := scope.FreeName(l.of.fn, "found"), l.of.list
	var code string
	if list.key != "" {
		code = list.lock + ".Lock()\n_, " + name + " := " + list.field + "[" + list.key + "]\ndelete(" + list.field + ", " + list.key + ")\n" + list.lock + ".Unlock()\n"
	} else {
		i, w := scope.FreeName(l.of.fn, "i"), scope.FreeName(l.of.fn, "w")
		code = list.lock + ".Lock()\n" + name + " := false\nfor " + i + ", " + w + " := range " + list.field + " {\nif " + w + " == " + list.waiter + " {\n" +
			list.field + " = append(" + list.field + "[:" + i + "], " + list.field + "[" + i + "+1:]...)\n" + name + " = true\nbreak\n}\n}\n" + list.lock + ".Unlock()\n"
	}
	return m.InsertSnippet(e.File, anchor, false, code+"if !"+name+" {\n"+l.handOn(e.Form)+"\n}")
}

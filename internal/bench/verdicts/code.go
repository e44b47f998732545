package verdicts

// An op is one step of a thread.
type op struct {
	do    string
	obj   int
	v, w  int
	jump  int // where a step that may pass over others goes
	cases []stmt
}

// code flattens the threads of a program.
func (p *program) code() [][]op {
	var all [][]op
	for t, body := range p.threads {
		var ops []op
		if t == 0 {
			for u := 1; u < len(p.threads); u++ {
				ops = append(ops, op{do: "go", obj: u})
			}
		}
		ops = flatten(ops, body)
		switch {
		case t > 0:
			ops = append(ops, op{do: "end"})
		case p.join:
			ops = append(ops, op{do: "join"})
			for o := range objects {
				ops = append(ops, op{do: "read", obj: o}, op{do: "load", obj: o})
			}
		}
		all = append(all, ops)
	}
	return all
}

// flatten appends the steps of some statements.
func flatten(ops []op, body []stmt) []op {
	for _, s := range body {
		one := op{do: s.do, obj: s.obj, v: s.v, w: s.w, cases: s.cases}
		switch s.do {
		case "lock":
			ops = append(ops, op{do: "mlock", obj: s.obj})
			ops = append(flatten(ops, s.body), op{do: "munlock", obj: s.obj})
		case "rlock":
			ops = append(ops, one)
			ops = append(flatten(ops, s.body), op{do: "runlock", obj: s.obj})
		case "wlock":
			ops = append(ops, op{do: "arrive", obj: s.obj}, one)
			ops = append(flatten(ops, s.body), op{do: "wunlock", obj: s.obj})
		case "trylock":
			at := len(ops)
			ops = append(flatten(append(ops, one), s.body), op{do: "munlock", obj: s.obj})
			ops[at].jump = len(ops)
		case "once":
			at := len(ops)
			ops = append(flatten(append(ops, one), s.body), op{do: "onceend", obj: s.obj})
			ops[at].jump = len(ops)
		case "if":
			at := len(ops)
			ops = flatten(append(ops, one), s.body)
			ops[at].jump = len(ops)
		case "sleep", "timed":
			ops = append(ops, op{do: "arm", v: s.v}, one)
		case "wait":
			ops = append(ops, one, op{do: "wake", obj: s.obj}, op{do: "mlock", obj: s.obj})
		default:
			ops = append(ops, one)
		}
	}
	return ops
}

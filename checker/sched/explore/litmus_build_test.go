package explore

// par is a program whose test starts the threads and ends.
func par(name string, caps []int, threads ...[]op) *litmus {
	var main []op
	for i := range threads {
		main = append(main, op{do: "go", v: i + 1})
	}
	return &litmus{name, caps, append([][]op{main}, threads...)}
}

// with0 is a program in which thread 0 goes on after having started the others.
func with0(name string, caps []int, main []op, threads ...[]op) *litmus {
	p := par(name, caps, threads...)
	p.threads[0] = append(p.threads[0], main...)
	return p
}

func ops(o ...[]op) []op {
	var all []op
	for _, o := range o {
		all = append(all, o...)
	}
	// jumps are relative until here
	for i := range all {
		if all[i].do == "onceBegin" {
			all[i].jump = i + all[i].v
		}
	}
	return all
}

func one(do string, obj int, v ...int) []op {
	o := op{do: do, obj: obj}
	if len(v) > 0 {
		o.v = v[0]
	}
	if len(v) > 1 {
		o.w = v[1]
	}
	return []op{o}
}

func load(a int) []op      { return one("load", a) }
func store(a, v int) []op  { return one("store", a, v) }
func add(a, v int) []op    { return one("add", a, v) }
func cas(a, v, w int) []op { return one("cas", a, v, w) }
func lock(m int) []op      { return one("lock", m) }
func unlock(m int) []op    { return one("unlock", m) }
func send(c, v int) []op   { return one("send", c, v) }
func recv(c int) []op      { return one("recv", c) }
func closes(c int) []op    { return one("close", c) }
func rlock(m int) []op     { return one("rlock", m) }
func runlock(m int) []op   { return one("runlock", m) }
func wlock(m int) []op     { return append(one("arrive", m), one("wlock", m)...) }
func wunlock(m int) []op   { return one("wunlock", m) }
func wait(c int) []op      { return append(append(one("condWait", c), one("condWake", c)...), lock(c)...) }
func signal(c int) []op    { return one("signal", c) }
func broadcast(c int) []op { return one("broadcast", c) }
func wgAdd(w, n int) []op  { return one("wgAdd", w, n) }
func wgWait(w int) []op    { return one("wgWait", w) }
func plain(p, v int) []op  { return one("plain", p, v) }
func await(a, v int) []op  { return one("await", a, v) }
func yield() []op          { return one("yield", 0) }
func once(o int, f []op) []op {
	return append(append(one("onceBegin", o, len(f)+2), f...), one("onceEnd", o)...)
}
func sel(cases ...[]op) []op    { return []op{{do: "select", cases: ops(cases...)}} }
func selDef(cases ...[]op) []op { return []op{{do: "selectDefault", cases: ops(cases...)}} }

func locked(m int, body []op) []op { return ops(lock(m), body, unlock(m)) }

package locks

// A following is what the functions that a variable may hold, or a call may return,
// depend on. Without it a field that is copied from itself at n places is followed n
// times at each of them, to the depth of maxAliases.
type following struct {
	at      any    // the variable, by its storeKey, or the *ast.CallExpr
	subject string // the lock, for a call the whole frame
	left    int
	behind  int
}

// followings are those that are known, and those that are being found.
type followings struct {
	known  map[following][]callable
	depth  int                // how many are being found, each for the one before
	guess  map[following]bool // what rests on sights that are not done; forgotten with the outermost
	undone int                // how often such a sight, or such a guess, was asked for
}

// followed finds functions by find, once. Those that are followed alike count once.
func (m *View) followed(f following, find func(add func(...callable))) []callable {
	fs := &m.following
	if list, known := fs.known[f]; known {
		if fs.guess[f] {
			fs.undone++
		}
		return list
	}
	var list []callable
	seen := make(map[string]bool)
	undone := fs.undone
	fs.depth++
	find(func(more ...callable) {
		for _, c := range more {
			if id := c.identity(m); !seen[id] {
				seen[id] = true
				list = append(list, c)
			}
		}
	})
	fs.depth--
	if fs.known == nil {
		fs.known, fs.guess = make(map[following][]callable), make(map[following]bool)
	}
	fs.known[f] = list
	if fs.undone > undone {
		fs.guess[f] = true
	}
	if fs.depth == 0 {
		for f := range fs.guess {
			delete(fs.known, f)
		}
		clear(fs.guess)
	}
	return list
}

// identity tells callables apart that differ in what is found by following them.
func (c callable) identity(m *View) string {
	if c.fn == nil {
		return c.method
	}
	return (&frame{m: m, fn: c.fn, on: subject{names: c.names}, bind: c.bind, consts: c.consts}).identity()
}

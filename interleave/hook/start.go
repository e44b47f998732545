package hook

// tokens numbers the goroutines that were started.
var tokens uint64

// Forking is the moment before a goroutine is started. Whoever is started hands
// the token to Started.
//
//go:norace
func Forking(site uint32) uint64 {
	if !recorder.on {
		return 0
	}
	token := add(&tokens, 1)
	record(Fork, site, token, 0)
	return token
}

// Started is the first moment of a goroutine; what it returns is the last one.
//
//go:norace
func Started(site uint32, token uint64) func() {
	record(Start, site, token, 0)
	late()
	return func() { record(End, site, token, 0) }
}

// Goes is a function that may be run in another goroutine.
func Goes(site uint32, f func()) func() {
	token := Forking(site)
	return func() {
		defer Started(site, token)()
		f()
	}
}

// GoesFor is Goes for a function with a result.
func GoesFor[T any](site uint32, f func() T) func() T {
	token := Forking(site)
	return func() T {
		defer Started(site, token)()
		return f()
	}
}

// RunTest is the method Run of a test or benchmark.
func RunTest[T interface{ Run(string, func(T)) bool }](site uint32, t T, name string, f func(T)) bool {
	token := Forking(site)
	ok := t.Run(name, func(t T) {
		defer Started(site, token)()
		f(t)
	})
	record(Join, site, token, 0)
	return ok
}

package sync

// OnceFunc returns a function that calls f the first time it is called. If f
// panics, each call panics with the same value.
func OnceFunc(f func()) func() {
	o := outcome[struct{}]{f: func() struct{} { f(); return struct{}{} }}
	return func() { o.get() }
}

// OnceValue is OnceFunc for a function with a result, which each call returns.
func OnceValue[T any](f func() T) func() T {
	o := outcome[T]{f: f}
	return func() T { return o.get() }
}

// OnceValues is OnceValue for two results.
func OnceValues[T1, T2 any](f func() (T1, T2)) func() (T1, T2) {
	type pair struct {
		first  T1
		second T2
	}
	o := outcome[pair]{f: func() (p pair) { p.first, p.second = f(); return p }}
	return func() (T1, T2) {
		p := o.get()
		return p.first, p.second
	}
}

// An outcome is what a function returned or panicked with.
type outcome[T any] struct {
	once     Once
	f        func() T // nil after the call, so that it can be freed
	returned bool
	result   T
	panicked any
}

func (o *outcome[T]) get() T {
	o.once.Do(func() {
		defer func() {
			o.f = nil
			o.panicked = recover()
			if !o.returned {
				// Again, from here: the trace of the first panic shows both.
				panic(o.panicked)
			}
		}()
		o.result = o.f()
		o.returned = true
	})
	if !o.returned {
		panic(o.panicked)
	}
	return o.result
}

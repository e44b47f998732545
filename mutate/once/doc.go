// Package once initialises a variable with a sync.Once where several goroutines
// may find it empty at the same time:
//
//	                               configOnce sync.Once // sets config
//	var config *Config             config     *Config
//
//	func Get() *Config {           func Get() *Config {
//		if config == nil {     →       configOnce.Do(func() {
//			config = load()                config = load()
//		}                              })
//		return config                  return config
//	}                              }
//
// It mends lazy initialisation: two goroutines make the value twice, use one
// that the other replaces, or see it half made. That is what sync.Once is for.
// Tu et al. (Understanding Real-World Concurrency Bugs in Go, ASPLOS 2019,
// section 6) list Once among the primitives that people mend such races with.
//
// The variable is a package variable or a field that is compared with nil, false,
// 0 or "" by an if without an else and without a lock. If several functions do the
// same to it, a composite edit gives all of them the same Once.
//
// Left out is a variable that
//   - is set elsewhere, or made with a value: it might be reset, and Once would not set it again,
//   - other functions read that do not initialise it, or that this one reads before,
//
// and an initialisation that
//   - is left by a return, break, goto or panic, or defers a call,
//   - sets a variable of the function, such as err: a later call would not get its value,
//   - is that of a struct whose values are copied.
//
// A Once that the program declares and never uses was meant for something. The
// second form puts a call as a statement under it, of a literal that uses the
// struct which has the Once or of a method of it, without parameters and results:
//
//	p.init()  →  p.initOnce.Do(p.init)
//
// So does a literal that is called at once, and sets what is set elsewhere under a Once of
// the struct.
//
// sync.OnceValue, which changes the type of the variable, is left out.
package once

// Package goker checks and repairs the kernels of real blocking bugs that a Go
// installation carries (GoKer, of Yuan et al., GoBench, CGO 2021).
//
// Package kernel adapts each kernel to a module with a test: it cuts the request for a leak
// profile and, unless noise is to find the bug, starts one copy of the kernel
// instead of thousands. Run checks the kernels, runs them with noise, or
// repairs them and verifies the patches. Nothing of the kernels is kept. With Native it
// counts in how many runs with the real scheduler forcing and noise expose them.
//
// Words: a kernel is found when the checker shows a schedule after which
// goroutines are blocked for ever. It is known where the tests of the Go
// installation say which functions those goroutines are in.
//
//	err := goker.Run(ctx, goker.Options{
//		Only: []string{"cockroach10214"}, Seed: 1, Replays: 20, Check: 20 * time.Second,
//	}, os.Stdout, os.Stderr)
package goker

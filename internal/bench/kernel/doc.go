// Package kernel adapts the kernels of real blocking bugs that a Go installation carries
// (GoKer, of Yuan et al., GoBench, CGO 2021).
//
// Read adapts each kernel to a module with a test: it cuts the request for a leak
// profile and, if asked for, starts one copy of the kernel instead of thousands.
//
//	kernels, err := kernel.Read(filepath.Join(tool.GOROOT, kernel.Dir), []string{"cockroach10214"}, true)
//	err = kernels[0].WriteModule(dir)
package kernel

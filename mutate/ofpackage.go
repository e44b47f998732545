package mutate

import "go/types"

// Declared is the function that may be edited with a declaration; nil: there is none.
func (fn *Function) Declared(f *types.Func) *Function {
	if f == nil {
		return nil
	}
	return fn.space.declared[f]
}

// OfPackage lists the functions of the function's package that may be edited, by file
// and in source order, the function among them. Not all of them are narrowed.
func (fn *Function) OfPackage() []*Function {
	var all []*Function
	for _, f := range fn.OfProgram() {
		if f.File.Package == fn.File.Package && !f.File.Test {
			all = append(all, f)
		}
	}
	return all
}

// OfProgram lists the functions of the program that may be edited, as
// [Function.OfPackage] does those of a package, tests included where they may be.
func (fn *Function) OfProgram() []*Function { return fn.space.allFunctions() }

func (s *Space) allFunctions() []*Function {
	var all []*Function
	for _, name := range s.fileNames {
		all = append(all, s.functions[name]...)
	}
	return all
}

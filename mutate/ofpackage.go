package mutate

// OfPackage lists the functions of the function's package that may be edited, by file
// and in source order, the function among them. Not all of them are narrowed.
func (fn *Function) OfPackage() []*Function {
	var all []*Function
	for _, name := range fn.space.fileNames {
		for _, f := range fn.space.functions[name] {
			if f.File.Package == fn.File.Package && !f.File.Test {
				all = append(all, f)
			}
		}
	}
	return all
}

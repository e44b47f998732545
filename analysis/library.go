package analysis

import "slices"

// Library are the import paths of the standard library's packages that the program is
// built of with its tests, or that an edit may import; sorted.
func (p *Program) Library() []string {
	if p.unit == nil {
		return nil
	}
	var paths []string
	for _, n := range p.unit.nodes {
		if n.listed.Module == nil {
			paths = append(paths, n.listed.PkgPath)
		}
	}
	slices.Sort(paths)
	return paths
}

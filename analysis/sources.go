package analysis

import (
	"slices"

	"golang.org/x/tools/go/packages"
)

// Sources are what the program is built of, the standard library left out: the
// files, by absolute name and sorted, of packages that can change at any time
// (those of the module, of others in a workspace or replaced by a directory,
// and vendored ones), whatever language they are in, with what is embedded and
// the go.mod files; and the other modules, each as path@version.
func (p *Program) Sources() (files, modules []string) {
	for _, n := range p.unit.nodes {
		m := n.listed.Module
		if m == nil {
			continue
		}
		if downloaded(m) {
			modules = append(modules, m.Path+"@"+m.Version)
			if r := m.Replace; r != nil {
				modules = append(modules, r.Path+"@"+r.Version)
			}
			continue
		}
		files = slices.Concat(files, n.listed.GoFiles, n.listed.OtherFiles, n.listed.EmbedFiles)
		if m.GoMod != "" {
			files = append(files, m.GoMod)
		}
	}
	slices.Sort(files)
	slices.Sort(modules)
	return slices.Compact(files), slices.Compact(modules)
}

// downloaded reports whether a module is used as it lies in the module cache,
// where nobody changes it.
func downloaded(m *packages.Module) bool {
	if r := m.Replace; r != nil {
		return r.Version != "" && m.Dir != ""
	}
	return m.Version != "" && m.Dir != "" // vendored ones have no directory
}

// Package cached copies libraries at exact versions from the module cache, for
// evaluations that need correct programs with concurrent tests.
//
//	for _, m := range cached.Modules() {
//		packages, err := m.Fetch(ctx, filepath.Join(dir, path.Base(m.Path)))
//		...
//	}
package cached

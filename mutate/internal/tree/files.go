package tree

import (
	"fmt"
	"go/token"
	"sync"

	"mendel/analysis"
)

// Files are the files of a program, with the tree of each made when it is first asked for. To
// number a file's nodes takes much less, and is done apart. Files is safe for concurrent use.
type Files struct {
	program *analysis.Program
	mu      sync.Mutex
	byName  map[string]*file // guarded by mu; by module-relative name
}

// A file is what is made of one, once.
type file struct {
	original func() *Original
	tree     func() (*decorated, error)
}

// NewFiles are the files of a program.
func NewFiles(p *analysis.Program) *Files {
	return &Files{program: p, byName: make(map[string]*file)}
}

// Original is a file of the program with its nodes numbered.
func (fs *Files) Original(f *analysis.File) *Original { return fs.of(f).original() }

// Later is [Files.Original] for when it is needed, and often then: it takes no lock.
func (fs *Files) Later(f *analysis.File) func() *Original { return fs.of(f).original }

// Edit begins to edit a file, which is named relative to the module.
func (fs *Files) Edit(name string) (*Edited, error) {
	f, err := fs.named(name)
	if err != nil {
		return nil, err
	}
	t, err := f.tree()
	if err != nil {
		return nil, err
	}
	return edit(t), nil
}

// Sketch begins to edit a file that is never printed.
func (fs *Files) Sketch(name string) (*Edited, error) {
	f, err := fs.named(name)
	if err != nil {
		return nil, err
	}
	return edit(sketch(f.original())), nil
}

func (fs *Files) named(name string) (*file, error) {
	fs.mu.Lock()
	known := fs.byName[name]
	fs.mu.Unlock()
	if known != nil {
		return known, nil
	}
	f := fs.program.File(name)
	if f == nil {
		return nil, fmt.Errorf("%s is not a file of the loaded program", name)
	}
	return fs.of(f), nil
}

func (fs *Files) of(f *analysis.File) *file {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	if fs.byName[f.Rel] == nil {
		fs.byName[f.Rel] = newFile(fs.program.Fset, f)
	}
	return fs.byName[f.Rel]
}

func newFile(fset *token.FileSet, f *analysis.File) *file {
	original := sync.OnceValue(func() *Original { return newOriginal(f) })
	return &file{original, sync.OnceValues(func() (*decorated, error) { return decorate(fset, original()) })}
}

package repair

import (
	"context"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"mendel/internal/change"
	"mendel/internal/gotool"
	"mendel/internal/repair/setup"
	"mendel/internal/result"
	"mendel/mutate"
	"mendel/validate"
)

// A patch is what somebody else made to mend a failure: the program of a target with
// some files replaced.
type patch struct {
	name  string            // what people know it by
	files map[string][]byte // by absolute name
}

// originalDir is where the source without a change is copied to, in the output
// directory. The go command does not look into it.
const originalDir = "_original"

// Verify reproduces the failure of a target without a change, and validates the change
// as a repair validates its own fixes. Of the result, the only fix is the change, if it
// is one; what speaks against it is what was rejected. Nothing is resumed, or kept to be.
// The result is never nil; when ctx ends the error is ctx's. The budget's end is no error.
func Verify(ctx context.Context, w result.Wanted, c *change.Change) (*result.Result, error) {
	failed := &result.Result{Status: result.Failed, Verified: c.Name}
	if w.Resume {
		return failed, errors.New("the verification of a patch is not resumed")
	}
	out := w.Out
	if out == "" {
		temp, remove, err := gotool.TempDir()
		if err != nil {
			return failed, err
		}
		defer func() { _ = remove() }() // a later run removes what is left
		out = temp
	} else if err := result.PrepareOut(out); err != nil {
		return failed, err
	}
	placed, err := c.Place(ctx, w.Dir, filepath.Join(out, originalDir))
	if err != nil {
		return failed, err
	}
	w.Dir = placed.Dir
	return run(ctx, w, known{patch: &patch{c.Name, placed.Files}})
}

// imports are the packages that the files of a patch import.
func (p *patch) imports() []string {
	if p == nil {
		return nil
	}
	var all []string
	for _, name := range slices.Sorted(maps.Keys(p.files)) {
		file, err := parser.ParseFile(token.NewFileSet(), name, p.files[name], parser.ImportsOnly)
		if err != nil {
			continue // the type-checker says what is wrong
		}
		for _, spec := range file.Imports {
			path, err := strconv.Unquote(spec.Path.Value)
			if err == nil && path != "C" && !slices.Contains(all, path) {
				all = append(all, path)
			}
		}
	}
	return all
}

// patched is the program with the patch that is to be verified. The error is a
// *validate.Rejected if it does not compile.
func (env *environment) patched() (*mutate.Mutant, error) {
	p := env.known.patch
	files := maps.Clone(p.files)
	var foreign []string
	for name := range p.files {
		if env.Program.File(name) == nil {
			foreign = append(foreign, env.Relative(name))
			delete(files, name)
		}
	}
	slices.Sort(foreign)
	if len(files) == 0 {
		return nil, fmt.Errorf("%s changes no file that %s is built of, but %s", p.name, env.Target.Package, strings.Join(setup.First(foreign), ", "))
	}
	for _, name := range setup.First(foreign) {
		env.Progress.Note("%s: %s is no file that %s is built of, and stays as it is", p.name, name, env.Target.Package)
	}
	m, err := mutate.Given(env.Program, files)
	var wrong *gotool.BuildError
	if errors.As(err, &wrong) {
		bare := &mutate.Mutant{Files: files, Edits: []mutate.Edit{{Operator: mutate.GivenOperator, File: env.Relative(slices.Sorted(maps.Keys(files))[0]), Line: 1}}}
		return nil, &validate.Rejected{Mutant: bare, Stage: validate.StagePolicy, Reason: "it does not compile: " + strings.TrimSpace(wrong.Output)}
	}
	if err != nil {
		return nil, fmt.Errorf("apply %s: %w", p.name, err)
	}
	return m, nil
}

// verify validates the patch that is to be verified. The outcome is never nil.
func (j *judges) verify(ctx context.Context) (*outcome, error) {
	out := &outcome{diagnoses: j.diagnose().told()}
	name := j.known.patch.name
	j.Progress.Phase("validate", "verifying %s", name)
	m, err := j.patched()
	var fix *validate.Fix
	if err == nil {
		fix, err = j.validator.Verify(ctx, m)
	}
	if fix != nil {
		out.add(validatedFix{fix, 0, j.moment(fix.Mutant)})
	}
	var rejected *validate.Rejected
	switch {
	case errors.As(err, &rejected):
		out.rejected = append(out.rejected, rejection{rejected, 0})
		j.Progress.Printf("%s is refused by %s: %s", name, rejected.Stage, rejected.Reason)
		out.reason = fmt.Sprintf("%s is refused by %s: %s", name, rejected.Stage, rejected.Reason)
		return out, nil
	case fix != nil && len(fix.Incomplete) > 0:
		j.Progress.Printf("%s, validation incomplete: %s", name, strings.Join(fix.Incomplete, "; "))
	case fix != nil:
		j.Progress.Printf("%s is validated", name)
	default:
		out.reason = "the validation of " + name + " did not end"
	}
	showing, cancel := afterwards(ctx)
	defer cancel()
	j.show(showing, out)
	return out, err
}

package repair

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"mendel/internal/dossier"
	"mendel/internal/journal"
	"mendel/internal/report"
	"mendel/internal/result"
)

// appliedSince names the patches that the repair in an output directory, or one
// of the same series, has made and somebody has applied since. It is empty unless
// they are all that is different from the earlier fingerprint.
func appliedSince(out string, before, now journal.Fingerprint) []string {
	if !maps.Equal(before.Others, now.Others) {
		return nil
	}
	changed := map[string]bool{}
	for name, hash := range now.Files {
		changed[name] = before.Files[name] != hash
	}
	for name := range before.Files {
		changed[name] = before.Files[name] != now.Files[name]
	}
	maps.DeleteFunc(changed, func(_ string, yes bool) bool { return !yes })
	var patches []string
	for _, dir := range madeBeside(out) {
		d, err := dossier.Read(dir)
		if err != nil {
			continue // whose it is cannot be said then
		}
		for _, f := range slices.Concat(d.Fixes, d.PartialFixes) {
			explains := slices.ContainsFunc(f.Files, func(file dossier.File) bool { return changed[file.Path] })
			if !explains || !isApplied(f, before, now) {
				continue // another repair may have made the same change
			}
			patches = append(patches, filepath.Join(dir, filepath.FromSlash(f.Patch)))
			for _, file := range f.Files {
				delete(changed, file.Path)
			}
		}
	}
	if len(changed) > 0 {
		return nil
	}
	return patches
}

// madeBeside are the output directory and, of a series, those of its other packages.
func madeBeside(out string) []string {
	dirs := []string{out}
	others, _ := filepath.Glob(filepath.Join(filepath.Dir(out), "*", dossier.Name)) // the pattern is well-formed
	for _, name := range others {
		if dir := filepath.Dir(name); dir != out {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// isApplied reports whether the source was what a fix was made for, and is now
// what the fix makes of it.
func isApplied(f dossier.Fix, before, now journal.Fingerprint) bool {
	for _, file := range f.Files {
		if before.Files[file.Path] != result.Hash([]byte(file.Before)) || now.Files[file.Path] != result.Hash([]byte(file.After)) {
			return false
		}
	}
	return len(f.Files) > 0
}

// cannotGoOn says why a repair does not go on with a source that has changed: by
// a patch of its own, or otherwise.
func cannotGoOn(env *environment, changed, patches []string) error {
	if len(patches) == 0 {
		return fmt.Errorf("the repair in %s cannot go on, because %s since it was begun: undo that, or begin another repair without --resume", env.Out, strings.Join(changed, ", "))
	}
	var names, words []string
	for _, p := range patches {
		name, err := filepath.Rel(env.Out, p)
		if err != nil {
			name = p
		}
		names, words = append(names, filepath.ToSlash(name)), append(words, p)
	}
	return fmt.Errorf("the repair in %s goes on with the source as it was, and that has %s applied by now: take it back with\n\tgit -C %s apply -R %s\nor begin another repair without --resume",
		env.Out, report.List(names), env.Program.Module, strings.Join(words, " "))
}

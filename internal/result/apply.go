package result

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"mendel/internal/dossier"
	"mendel/internal/gotool"
	"mendel/internal/report"
)

// Apply writes a fix into the source. A file that is no longer what was
// analysed, nor what the fix makes of it, is an error, and then nothing is
// written. Of a repair that ended in an earlier process, all of the source must
// be what was repaired, but for what the fix itself has changed already.
func (r *Result) Apply(f Fix) error {
	if r.live.Restored != nil {
		return r.applyRestored(f)
	}
	at := slices.IndexFunc(r.Fixes, func(g Fix) bool { return g.Patch == f.Patch })
	if at < 0 || at >= len(r.live.Fixes) {
		return fmt.Errorf("apply %s: it is not of this repair", f.Patch)
	}
	var files []dossier.File
	for _, c := range report.Changes(r.live.Program, r.live.Fixes[at].Mutant) {
		files = append(files, dossier.File{Path: c.Path, Before: string(c.Before), After: string(c.After)})
	}
	if err := ApplyFiles(r.Target.Module, files); err != nil {
		return fmt.Errorf("apply %s: %w", f.Patch, err)
	}
	return nil
}

// applyRestored applies a fix of a repair that ended in an earlier process.
func (r *Result) applyRestored(f Fix) error {
	out, source := r.live.Out, r.live.Restored.Source
	byHand := fmt.Sprintf("; what remains is to apply the patch by hand: git apply %s", filepath.Join(out, f.Patch))
	d, err := dossier.Read(out)
	if err != nil {
		return fmt.Errorf("apply %s: %w%s", f.Patch, err, byHand)
	}
	at := slices.IndexFunc(d.Fixes, func(kept dossier.Fix) bool {
		return kept.Patch == f.Patch && kept.Diff != "" && strings.HasSuffix(f.Diff, kept.Diff)
	})
	if at < 0 {
		return fmt.Errorf("apply %s: %s in %s is of another repair by now; repair again", f.Patch, dossier.Name, out)
	}
	now := map[string]string{}
	for name := range source {
		if own := slices.ContainsFunc(d.Fixes[at].Files, func(c dossier.File) bool { return c.Path == name }); own {
			now[name] = source[name] // ApplyFiles looks closer
		} else if text, err := os.ReadFile(InModule(r.Target.Module, name)); err == nil {
			now[name] = Hash(text)
		}
	}
	if changed := Changes(source, now); len(changed) > 0 {
		return fmt.Errorf("apply %s: %s since it was validated%s", f.Patch, strings.Join(changed, ", "), byHand)
	}
	if err := ApplyFiles(d.Dir, d.Fixes[at].Files); err != nil {
		return fmt.Errorf("apply %s: %w", f.Patch, err)
	}
	return nil
}

// ApplyFiles makes the changes of a fix in a module's directory. A file that
// has the change already stays as it is. One that is neither as it was before
// nor as it should be after is an error, and then nothing is written.
func ApplyFiles(dir string, files []dossier.File) error {
	var changes []dossier.File
	for _, f := range files {
		now, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(f.Path)))
		if err != nil {
			return err
		}
		switch string(now) {
		case f.After:
		case f.Before:
			changes = append(changes, f)
		default:
			return fmt.Errorf("%s has changed since it was analysed; apply the patch by hand", f.Path)
		}
	}
	for _, f := range changes {
		if err := gotool.WriteFile(filepath.Join(dir, filepath.FromSlash(f.Path)), []byte(f.After)); err != nil {
			return err
		}
	}
	return nil
}

// Hash identifies a text.
func Hash(text []byte) string {
	h := sha256.Sum256(text)
	return hex.EncodeToString(h[:16])
}

// Changes words the differences of hashes, sorted by what is hashed.
func Changes(before, after map[string]string) []string {
	var words []string
	for _, name := range slices.Sorted(maps.Keys(before)) {
		switch now, ok := after[name]; {
		case !ok:
			words = append(words, name+" is gone")
		case now != before[name]:
			words = append(words, name+" has changed")
		}
	}
	for _, name := range slices.Sorted(maps.Keys(after)) {
		if _, ok := before[name]; !ok {
			words = append(words, name+" is new")
		}
	}
	return words
}

// FromModule is an absolute name as seen from a module's directory, with slashes.
func FromModule(module, name string) string {
	if rel, err := filepath.Rel(module, name); err == nil {
		name = rel
	}
	return filepath.ToSlash(name)
}

// InModule is the inverse of FromModule.
func InModule(module, name string) string {
	name = filepath.FromSlash(name)
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(module, name)
}

// Package change reads a change of a program's source: a patch file, or what
// distinguishes the working tree from a revision.
//
//	c, err := change.Read(ctx, "fix.patch", dir)      // or change.Since(ctx, dir, "main")
//	p, err := c.Place(ctx, dir, filepath.Join(out, "_original"))
//	// the program in p.Dir is the original; p.Files make it what it is to be
//
// Words: the code of a change is its Go files that are no tests. The original is
// the source without the code of the change and with all else of it, so that a
// test that came with the change can be run on it. The original lies where the user
// has it if the change is a patch of code that is there and not applied; else
// [Change.Place] makes a copy.
//
// In a copy, a file that the change adds or removes is there on both sides: the side
// that has not got it has a package clause only. So each side is the other one with
// the contents of some files replaced.
//
// A [History] is the commits between two revisions, each checked out when it is asked for,
// in a worktree that the user's checkout has nothing to do with:
//
//	h, err := change.OpenHistory(ctx, dir, "v1.0..main", filepath.Join(temp, "tree"))
//	...
//	defer h.Close()
//	commit, err := h.Next(ctx, h.Bad, []string{h.Good}, nil)
//	there, err := h.Checkout(ctx, commit)
//
// # Limits
//
// It needs git, also for patch files. A copy has what git knows of, and untracked and
// ignored Go files and vendor directories; what the module needs outside of its
// repository by relative paths is not found from there. A package that the change adds
// is in the original without declarations. Contents of other files than Go files, such
// as testdata, are those after the change on both sides.
package change

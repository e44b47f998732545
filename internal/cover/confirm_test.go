package cover

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"mendel/interleave"
)

// A failure that nobody has forced is explained by what its run exposed: of that, what
// shows the failure again is what was forced from then on.
func TestExplain(t *testing.T) {
	dir := t.TempDir()
	for file, text := range map[string]string{"go.mod": "module example.com/p\n\ngo 1.26\n", "p.go": lost, "p_test.go": lostTest} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	o := Options{Dir: dir, Workers: 1, First: true, Budget: 2 * time.Minute}.withDefaults()
	c := &covering{o: o, result: newResult(o)}
	err := c.prepared(t.Context(), func() error {
		c.end = time.Now().Add(o.Budget)
		if err := c.search(t.Context()); err != nil {
			return err
		}
		if len(c.result.Failures) != 1 {
			t.Fatalf("%+v", c.result.Failures)
		}
		f := &c.result.Failures[0]
		var all []interleave.IRoot
		for r := range c.memory.exposed {
			all = append(all, r)
		}
		slices.SortFunc(all, interleave.IRoot.Compare)
		f.Forced, f.root, f.fresh = nil, interleave.IRoot{}, all[:min(len(all), culprits)]
		if err := c.explain(t.Context(), f); err != nil {
			return err
		}
		if f.Forced == nil || f.root.Idiom == 0 || f.Repeated != again || f.FailedAgain == 0 {
			t.Errorf("not explained by %d: %+v", len(all), f)
		}
		if row := c.memory.rows[f.root]; row == nil || row.Failed != f.Signature {
			t.Errorf("what explains it is not remembered: %+v", row)
		}
		// What fails now and then gives way to what fails each time.
		best := f.root
		f.root, f.FailedAgain = interleave.IRoot{Idiom: 1}, 0
		if err := c.explain(t.Context(), f); err != nil || f.root != best {
			t.Errorf("%v stays in the place of %v: %v", f.root, best, err)
		}
		f.Forced, f.fresh = nil, nil
		if err := c.explain(t.Context(), f); err != nil || f.Forced != nil {
			t.Errorf("explained by nothing: %+v, %v", f, err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

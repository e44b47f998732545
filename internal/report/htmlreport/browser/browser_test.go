// Package browser looks at the pages of package htmlreport in a headless browser. It
// is a module of its own, so that nobody who builds Mendel needs what drives one.
package browser

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/google/go-cmp/cmp"
)

// pages are what a test of package htmlreport writes: pages by their names, and the
// patches of the one named "two".
type pages map[string]string

func writePages(t *testing.T) pages {
	t.Helper()
	dir := t.TempDir()
	c := exec.CommandContext(t.Context(), "go", "test", "-count=1", "-run=^TestWritePages$", ".", "-args", "-pages="+dir)
	c.Dir = ".."
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", c, err, out)
	}
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	all := pages{}
	for _, f := range files {
		text, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		all[strings.TrimSuffix(f.Name(), ".html")] = string(text)
	}
	return all
}

// page is one of them.
func (p pages) page(t *testing.T, name string) string {
	t.Helper()
	if p[name] == "" {
		t.Fatalf("there is no page %q", name)
	}
	return p[name]
}

// A tab is a browser's window, and what happened in it that should not.
type tab struct {
	t   *testing.T
	ctx context.Context

	mu       sync.Mutex
	loads    string   // the file
	wrong    []string // messages on the console, exceptions
	requests []string // but for the file
}

// start starts a browser. Where there is none the test is skipped, but not in
// continuous integration, and not if MENDEL_BROWSER is set.
func start(t *testing.T) *tab {
	t.Helper()
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		if os.Getenv("CI") == "" && os.Getenv("MENDEL_BROWSER") == "" {
			t.Skip("no Chromium or Chrome in PATH: the report is not looked at in a browser")
		}
		t.Fatal("no Chromium or Chrome in PATH: install one (Debian: apt-get install chromium), or unset CI and MENDEL_BROWSER")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true))
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox) // root has no sandbox to enter
	}
	const timeout = 3 * time.Minute // for a very busy machine
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewExecAllocator(ctx, options...)
	t.Cleanup(cancel)
	ctx, _ = chromedp.NewContext(ctx)
	b := &tab{t: t, ctx: ctx}
	t.Cleanup(func() {
		if err := chromedp.Cancel(ctx); err != nil {
			t.Errorf("end the browser: %v", err)
		}
	})
	if err := chromedp.Listen(ctx, b.event); err != nil {
		t.Fatal(err)
	}
	call(b, network.Enable, network.EnableParams{})
	return b
}

// event takes down what a page of ours must not cause.
func (b *tab) event(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := event.(type) {
	case *runtime.EventConsoleAPICalled:
		b.wrong = append(b.wrong, fmt.Sprintf("console.%s", e.Type))
	case *runtime.EventExceptionThrown:
		b.wrong = append(b.wrong, fmt.Sprintf("%s at %d: %s", e.ExceptionDetails.Text, e.ExceptionDetails.LineNumber, e.ExceptionDetails.Exception.Description))
	case *log.EventEntryAdded:
		b.wrong = append(b.wrong, e.Entry.Text)
	case *network.EventRequestWillBeSent:
		if url := e.Request.URL; url != b.loads && !strings.HasPrefix(url, "data:") {
			b.requests = append(b.requests, url)
		}
	}
}

// show shows a page. What goes wrong until the test's end is its failure.
func (b *tab) show(t *testing.T, page string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(file, []byte(page), 0o666); err != nil {
		t.Fatal(err)
	}
	b.mu.Lock()
	b.loads, b.wrong, b.requests, b.t = "file://"+filepath.ToSlash(file), nil, nil, t
	b.mu.Unlock()
	b.do(chromedp.Navigate(b.loads))
	t.Cleanup(func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		for _, w := range b.wrong {
			t.Errorf("the browser complains: %s", w)
		}
		for _, r := range b.requests {
			t.Errorf("the page asks for %s", r)
		}
	})
}

func (b *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	if err := chromedp.Do(b.ctx, steps...); err != nil {
		b.t.Fatal(err)
	}
}

// media sets the window's size and colour scheme.
func (b *tab) media(width int64, scheme string) {
	b.t.Helper()
	const height = 900
	b.do(chromedp.EmulateViewport(width, height))
	call(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
	})
}

// click clicks the middle of the first element of a selector. chromedp's own
// would scroll to where an element that sticks to the window would be without.
func (b *tab) click(selector string) {
	b.t.Helper()
	at, err := chromedp.Run(b.ctx, chromedp.Evaluate[[]float64](fmt.Sprintf(`(() => {
		const e = document.querySelector(%q), middle = () => { const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; };
		if (!e.contains(document.elementFromPoint(...middle()))) e.scrollIntoView({ block: "center" });
		return middle();
	})()`, selector)))
	if err != nil {
		b.t.Fatalf("%s: %v", selector, err)
	}
	b.do(chromedp.MouseClickXY(at[0], at[1]))
}

// wait waits until an expression is true.
func (b *tab) wait(expression string) {
	b.t.Helper()
	b.do(func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		_, err := chromedp.Poll[bool](expression)(ctx, t)
		return chromedp.Void{}, err
	})
}

// is fails the test if an expression has another value.
func is[T any](b *tab, expression string, want T) {
	b.t.Helper()
	got, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatalf("%s: %v", expression, err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		b.t.Errorf("%s:\n%s", expression, diff)
	}
}

// TestBrowser looks at every kind of page in every kind of window, then uses
// one, with and without its script.
func TestBrowser(t *testing.T) {
	b := start(t)
	all := writePages(t)
	all.page(t, "several hostile")
	for name, page := range all {
		if strings.HasSuffix(name, ".patch") {
			continue
		}
		t.Run(name, func(t *testing.T) {
			b.show(t, page)
			for _, scheme := range []string{"light", "dark"} {
				for _, width := range []int64{1280, 390, 360} {
					b.media(width, scheme)
					is(b, "document.documentElement.scrollWidth - document.documentElement.clientWidth", 0)
				}
				is(b, faint, []string{})
			}
			is(b, `document.querySelectorAll("#planted, img, iframe, object, embed").length`, 0)
			is(b, `document.title !== "planted"`, true)
			is(b, `document.scripts.length`, 1)
		})
	}
	t.Run("keys", func(t *testing.T) { use(t, b, all) })
	t.Run("short parts", func(t *testing.T) { shortParts(t, b, all) })
	t.Run("phone", func(t *testing.T) { onPhone(t, b, all) })
	t.Run("several keys", func(t *testing.T) { throughSeveral(t, b, all) })
	t.Run("without script", func(t *testing.T) { withoutScript(t, b, all) })
}

// use goes through a page as a reviewer does.
func use(t *testing.T, b *tab, all pages) {
	b.show(t, all.page(t, "two"))
	b.media(1280, "light")
	call(b, browser.SetPermission, browser.SetPermissionParams{
		Permission: &browser.PermissionDescriptor{Name: "clipboard-read"}, Setting: browser.PermissionSettingGranted,
	})
	press := func(key, at string) {
		t.Helper()
		b.do(chromedp.KeyEvent(key))
		is(b, "location.hash", at)
		is(b, "document.activeElement.id", strings.TrimPrefix(at, "#"))
		is(b, fmt.Sprintf("Math.abs(document.querySelector(%q).getBoundingClientRect().top) < 100", at), true)
		b.wait(fmt.Sprintf(`document.querySelector(".bar [aria-current]")?.hash === %q`, at))
	}
	press("n", "#fix-1")
	press("j", "#fix-2")
	press("n", "#fix-2") // the last
	press("k", "#fix-1")
	press("n", "#fix-2")
	press("p", "#fix-1")

	copied := func(fix int) {
		t.Helper()
		b.wait(fmt.Sprintf(`document.getElementById("said").textContent.includes("fix %d")`, fix))
		is(b, "navigator.clipboard.readText()", all.page(t, fmt.Sprintf("two-%d.patch", fix)))
	}
	b.do(chromedp.KeyEvent("c"))
	copied(1)
	b.click(`[data-do="next"]`)
	is(b, "location.hash", "#fix-2")
	b.click(`[data-do="copy"]`)
	copied(2)
	b.click(`[data-do="previous"]`)
	is(b, "location.hash", "#fix-1")

	b.do(chromedp.KeyEvent("?"))
	is(b, `document.getElementById("help").open`, true)
	b.do(chromedp.KeyEvent("n")) // is for the page below
	is(b, "location.hash", "#fix-1")
	b.do(chromedp.KeyEvent(kb.Escape))
	is(b, `document.getElementById("help").open`, false)
	b.click(`[data-do="help"]`)
	is(b, `document.getElementById("help").open`, true)
	b.click("#help button")
	is(b, `document.getElementById("help").open`, false)

	layout(b)
}

// layout opens what is folded, and measures where things are.
func layout(b *tab) {
	for _, details := range []string{".fold", ".patch", "#search details"} {
		is(b, fmt.Sprintf("document.querySelector(%q).open", details), false)
		b.click(details + " > summary")
		is(b, fmt.Sprintf("document.querySelector(%q).open", details), true)
	}
	b.click(`.ranking a[href="#fix-2"]`)
	is(b, "location.hash", "#fix-2")

	// A line of the original that changed stands beside what it became.
	is(b, `(() => { const a = document.querySelector(".changed .old").getBoundingClientRect(), b = document.querySelector(".changed .new").getBoundingClientRect(); return a.top === b.top && a.right <= b.left + 1; })()`, true)
	// Lanes are as wide as the window has room for.
	is(b, `[...document.querySelectorAll(".lanes")].filter(l => l.scrollWidth > l.parentElement.clientWidth + 1).length`, 0)
	// The line joins the marks of the two accesses.
	is(b, `(() => {
		const j = document.querySelector(".join").getBoundingClientRect();
		return [...document.querySelectorAll("#fix-1 .traces .failing .dot.access")].slice(0, 2).map(d => {
			const r = d.getBoundingClientRect(), x = r.x + r.width / 2, y = r.y + r.height / 2;
			return Math.min(Math.abs(x - j.left), Math.abs(x - j.right)) < 4 && Math.min(Math.abs(y - j.top), Math.abs(y - j.bottom)) < 6;
		});
	})()`, []bool{true, true})
}

// shortParts goes through parts of which several begin in one window.
func shortParts(t *testing.T, b *tab, all pages) {
	b.show(t, all.page(t, "no fix"))
	b.media(1280, "light")
	for _, step := range []struct{ key, at string }{
		{"n", "#partial-1"}, {"n", "#partial-2"}, {"n", "#partial-3"}, {"n", "#partial-3"}, {"p", "#partial-2"}, {"p", "#partial-1"},
	} {
		b.do(chromedp.KeyEvent(step.key))
		is(b, "location.hash", step.at)
	}
}

// onPhone has the two sides of a change below each other, and lanes that need
// no more than the window.
func onPhone(t *testing.T, b *tab, all pages) {
	b.show(t, all.page(t, "account"))
	b.media(390, "dark")
	is(b, `(() => { const a = document.querySelector(".changed .old .line"), b = document.querySelector(".changed .new .line"); return a === null || a.getBoundingClientRect().left === b.getBoundingClientRect().left; })()`, true)
	is(b, `[...document.querySelectorAll(".failing .lanes")].every(l => l.scrollWidth <= l.parentElement.clientWidth + 1)`, true)
	b.click(`[data-do="next"]`)
	is(b, "location.hash", "#fix-1")
}

// throughSeveral goes from package to package, and into one.
func throughSeveral(t *testing.T, b *tab, all pages) {
	b.show(t, all.page(t, "several"))
	b.media(1280, "light")
	for _, step := range []struct{ key, at string }{
		{"p", "package-1"}, {"n", "package-2"}, {"j", "package-3"}, {"k", "package-2"}, {"n", "package-3"},
		{"n", "package-4"}, {"n", "package-5"}, {"n", "package-6"}, {"n", "package-7"}, {"n", "package-7"}, {"p", "package-6"},
	} {
		b.do(chromedp.KeyEvent(step.key))
		is(b, "document.activeElement.id", step.at)
		is(b, `getComputedStyle(document.activeElement).outlineStyle`, "solid")
	}
	b.do(chromedp.KeyEvent("?"))
	is(b, `document.getElementById("help").open`, true)
	b.do(chromedp.KeyEvent(kb.Escape))
	// What a link leads to is not there.
	is(b, `addEventListener("click", e => { if (e.target.href) { e.preventDefault(); document.title = e.target.getAttribute("href"); } })`, (any)(nil))
	b.click(`[data-do="previous"]`)
	b.click(`[data-do="previous"]`)
	is(b, "document.activeElement.id", "package-4")
	b.do(chromedp.KeyEvent(kb.Enter))
	b.wait(`document.title === "3-queue/report.html"`)
}

// withoutScript finds all there, and no button that does nothing.
func withoutScript(t *testing.T, b *tab, all pages) {
	call(b, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	b.show(t, all.page(t, "two"))
	b.media(1280, "light")
	seen := func(selector string, want bool) {
		t.Helper()
		is(b, fmt.Sprintf("document.querySelector(%q).checkVisibility()", selector), want)
	}
	for _, selector := range []string{"#failures", "#fix-1 .diff .changed", "#fix-1 .lanes", "#fix-1 .evidence", "#fix-2 .why", "#rejected", "#search .charts > summary", `.bar a[href="#fix-2"]`} {
		seen(selector, true)
	}
	seen(".keys", false)
	seen("#fix-1 .patch pre", false)
	b.click("#fix-1 .patch summary")
	seen("#fix-1 .patch pre", true)
	b.click(`.bar a[href="#fix-2"]`)
	is(b, "location.hash", "#fix-2")

	b.show(t, all.page(t, "several"))
	seen("#package-1", true)
	seen(".keys", false)
}

// faint is a script that lists the texts that have too little contrast with
// what is behind them: less than 4.5 to 1 (WCAG 2.2, 1.4.3).
const faint = `(() => {
	const channels = c => c.match(/[\d.]+/g).map(Number);
	const light = c => { const [r, g, b] = channels(c).map(v => (v /= 255) <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4); return .2126 * r + .7152 * g + .0722 * b; };
	const behind = e => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor; if ((channels(c)[3] ?? 1) === 1) return c; } return "rgb(255, 255, 255)"; };
	const found = new Set();
	for (const e of document.body.querySelectorAll("*")) {
		if (!e.checkVisibility() || ![...e.childNodes].some(n => n.nodeType === 3 && n.data.trim())) continue;
		if (e.closest("script, style")) continue;
		const s = getComputedStyle(e), a = light(e instanceof SVGElement ? s.fill : s.color), b = light(behind(e));
		if ((Math.max(a, b) + .05) / (Math.min(a, b) + .05) < 4.5) found.add(e.tagName + "." + e.getAttribute("class") + " " + e.textContent.slice(0, 20));
	}
	return [...found];
})()`

// call sends a command to the tab.
func call[P, R any](b *tab, command cdp.Command[P, R], params P) {
	b.t.Helper()
	if _, err := chromedp.Call(b.ctx, command, params); err != nil {
		b.t.Fatalf("%s: %v", command.Method, err)
	}
}

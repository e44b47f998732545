package evidence

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
)

// kept are real outputs and profiles as people keep them.
func kept(t testing.TB) map[string]string { return texts(t, "testdata/kept") }

// isText reports by its name whether a kept file is text.
func isText(name string) bool { return !strings.HasSuffix(name, ".gz") }

func read(t testing.TB, text string) []Named {
	t.Helper()
	found, err := Read([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestKept(t *testing.T) {
	all := kept(t)
	var b strings.Builder
	for _, name := range names(all) {
		fmt.Fprintf(&b, "-- %s --\n", name)
		for _, f := range read(t, all[name]) {
			fmt.Fprintf(&b, "package %q: %s", f.Package, list([]Failure{f.Failure}))
		}
	}
	compare(t, "testdata/kept.golden", b.String())
}

// decorations are texts that tools put before lines, or around them: as documented
// by, or seen in the output of, each tool.
var decorations = map[string]func(i int, line string) string{
	"docker logs -t":    func(i int, line string) string { return at(i, "2006-01-02T15:04:05.%09dZ ") + line },
	"docker json-file":  packed1,
	"docker compose":    func(_ int, line string) string { return "bank-1  | " + line },
	"docker compose -t": func(i int, line string) string { return "bank-1  | " + at(i, "2006-01-02T15:04:05.%09dZ ") + line },
	"containerd":        func(i int, line string) string { return at(i, "2006-01-02T15:04:05.%09d+01:00 stderr F ") + line },
	"kubectl --prefix":  func(_ int, line string) string { return "[pod/bank-7d9f/server] " + line },
	"kubectl --prefix, -t": func(i int, line string) string {
		return "[pod/bank-7d9f/server] " + at(i, "2006-01-02T15:04:05.%09dZ ") + line
	},
	"stern":          func(_ int, line string) string { return "bank-7d9f server " + line },
	"journalctl":     func(_ int, line string) string { return "Nov  1 15:08:14 host1 bank[123]: " + line },
	"GitHub Actions": func(i int, line string) string { return at(i, "2006-01-02T15:04:05.%07dZ ") + line },
	"gh run view --log": func(i int, line string) string {
		return "test\tRun tests\t" + at(i, "2006-01-02T15:04:05.%07dZ ") + line
	},
	"GitLab":                func(i int, line string) string { return at(i, "2006-01-02T15:04:05.%06dZ ") + "01O " + line },
	"ts":                    func(_ int, line string) string { return "Nov 21 15:08:14 " + line },
	"time of day":           func(_ int, line string) string { return "[15:08:14] " + line },
	"package log":           func(_ int, line string) string { return "2026/11/21 15:08:14 " + line },
	"stderr":                func(_ int, line string) string { return "stderr | " + line },
	"colours":               func(_ int, line string) string { return "\x1b[1;31m" + line + "\x1b[0m\x1b[K" },
	"colours, then a time":  func(_ int, line string) string { return "\x1b[36m15:08:14.123\x1b[0m " + line },
	"hyperlinks":            func(_ int, line string) string { return "\x1b]8;;https://ci.example.com\x07" + line + "\x1b]8;;\x1b\\" },
	"Buildkite":             func(i int, line string) string { return fmt.Sprintf("\x1b_bk;t=%d\x07", 1700000000000+i) + line },
	"quoted in a mail":      func(_ int, line string) string { return "> " + line },
	"indented in an issue":  func(_ int, line string) string { return "        " + line },
	"trailing blanks lost":  func(_ int, line string) string { return strings.TrimRight("web-1  | "+line, " ") },
	"carriage returns":      func(_ int, line string) string { return line + "\r" },
	"a prefix of their own": func(_ int, line string) string { return "ci#42 >> " + line },
}

// at is a time of day; the format has a place for its fraction.
func at(i int, format string) string {
	format = strings.NewReplacer("2006-01-02", "2026-11-21", "15:04:05", fmt.Sprintf("15:08:%02d", i/10%60)).Replace(format)
	return fmt.Sprintf(format, i*1000+123)
}

func packed1(i int, line string) string {
	entry, _ := json.Marshal(map[string]string{"log": line + "\n"})
	return strings.TrimSuffix(string(entry), "}") + fmt.Sprintf(`,"stream":"stderr","time":%q}`, at(i, "2006-01-02T15:04:05.%09dZ"))
}

// TestDecorations decorates every kept text in every way: the same is found.
// A text without a line that always begins its line keeps unknown prefixes.
func TestDecorations(t *testing.T) {
	unknown := map[string]bool{
		"kubectl --prefix": true, "kubectl --prefix, -t": true, "stern": true, "journalctl": true,
		"quoted in a mail": true, "indented in an issue": true, "a prefix of their own": true,
	}
	for _, dir := range []string{"testdata/kept", "testdata/real"} {
		for name, text := range texts(t, dir) {
			if !isText(name) {
				continue
			}
			text = strings.ReplaceAll(text, testMark, "")
			want := read(t, text)
			shows := false
			for line := range strings.Lines(text) {
				_, header := goroutineHeader(strings.TrimSpace(line))
				shows = shows || header || strings.HasPrefix(line, raceStart)
			}
			for by, decorate := range decorations {
				if unknown[by] && (!shows || strings.HasSuffix(name, "json")) {
					continue
				}
				var b strings.Builder
				for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
					b.WriteString(decorate(i, line) + "\n")
				}
				if diff := cmp.Diff(want, read(t, b.String())); diff != "" {
					t.Errorf("%s by %s: %s", name, by, diff)
				}
			}
		}
	}
}

// TestEncodings wraps a text as compressors, and PowerShell, do.
func TestEncodings(t *testing.T) {
	text := kept(t)["multi.txt"]
	want := read(t, text)
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	if _, err := z.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	little, big := []byte("\xff\xfe"), []byte("\xfe\xff")
	for _, u := range utf16.Encode([]rune(text)) {
		little = append(little, byte(u), byte(u>>8))
		big = append(big, byte(u>>8), byte(u))
	}
	for name, data := range map[string][]byte{
		"gzip": zipped.Bytes(), "UTF-16 LE": little, "UTF-16 BE": big, "byte order mark": []byte("\xef\xbb\xbf" + text),
		"of several packages, the go command's messages first": []byte("go: downloading x v1.0.0\n" + text),
	} {
		if diff := cmp.Diff(want, read(t, string(data))); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// TestMessagesBeforeEvents has lines of the go command before go test -json.
func TestMessagesBeforeEvents(t *testing.T) {
	text := kept(t)["multi.json"]
	if diff := cmp.Diff(read(t, text), read(t, "go: downloading x v1.0.0\n{1}\n"+text)); diff != "" {
		t.Error(diff)
	}
}

// TestOtherProfiles: a profile that cannot show a failure is refused with a reason.
func TestOtherProfiles(t *testing.T) {
	profile := func(name string) string {
		return "\x0a\x04\x08\x01\x10\x02" + "\x32\x00" + string([]byte{0x32, byte(len(name))}) + name + "\x32\x05count"
	}
	pb := kept(t)["goroutineleak.pb.gz"]
	for _, tt := range []struct{ name, data, want string }{
		{"another sort", profile("samples"), "a samples profile says nothing about goroutines"},
		{"nobody blocked", profile("goroutine"), "debug=2"},
		{"no strings", "\x0a\x04\x08\x01\x10\x02", "damaged"},
		{"cut off", profile("goroutine")[:12], "damaged"},
		{"half a file", pb[:len(pb)/2], "unpack: unexpected EOF"},
		{"no gzip after all", "\x1f\x8bxx", "unpack: "},
	} {
		if found, err := Read([]byte(tt.data)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, error %v, want %s", tt.name, found, err, tt.want)
		}
	}
}

// TestLeaksNotBlocked: goroutines that goleak finds, and that are only not done yet,
// stay a message of the test.
func TestLeaksNotBlocked(t *testing.T) {
	text := strings.ReplaceAll(kept(t)["goleak.txt"], "state chan send", "state sleep")
	text = strings.ReplaceAll(text, "state sync.Mutex.Lock", "state IO wait")
	found := read(t, text)
	if len(found) != 1 || found[0].Kind != TestFailure || !strings.Contains(found[0].Message, "found unexpected goroutines") {
		t.Errorf("found %+v, want the test's failure", found)
	}
}

//go:build go1.27

package httptest_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httputil"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"mendel/checker/sched"
	"mendel/checker/sched/explore"
	zzhttp "mendel/checker/shim/http"
	"mendel/checker/shim/httptest"
)

// A cleaner is a test that ends when it is told to.
type cleaner struct {
	testing.TB
	cleanups []func()
}

func (c *cleaner) Cleanup(f func()) { c.cleanups = append(c.cleanups, f) }

func (c *cleaner) end() {
	for _, f := range c.cleanups {
		f()
	}
}

// served is what handler and client see of a request: date and addresses are left out.
func served(t *testing.T, r *http.Request, h http.HandlerFunc) string {
	var client, server strings.Builder
	note := func(args ...any) { fmt.Fprintln(&client, args...) }
	c := &cleaner{TB: t}
	s := httptest.NewTestServer(c, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintln(&server, "gets", r.Method, r.RequestURI, r.URL, r.Host, r.Proto, r.ContentLength, r.TransferEncoding, r.TLS != nil, r.RemoteAddr, r.Header)
		defer func() {
			_, err := r.Body.Read(make([]byte, 1))
			fmt.Fprintln(&server, "left", r.Context().Err(), err)
		}()
		h(w, r)
	}))
	a, err := zzhttp.OfClient(httptest.OfServer(s, "").Client(), "").Do(r)
	note("error", err)
	if err == nil {
		body, err := io.ReadAll(a.Body)
		note(a.Status, a.Proto, string(body), err)
		note(a.ContentLength, a.TransferEncoding, a.Uncompressed, a.Close, a.TLS != nil, a.Trailer, a.Request.URL)
		a.Header.Del("Date")
		note(a.Header, a.Body.Close())
		_, err = a.Body.Read(make([]byte, 1))
		note(err)
	}
	note(s.URL)
	c.end()
	return regexp.MustCompile(`192.0.2.1:\d+`).ReplaceAllString(server.String()+client.String(), "ADDRESS")
}

func request(method, address, body string) func(*testing.T) *http.Request {
	return func(t *testing.T) *http.Request {
		var from io.Reader
		if body != "" {
			from = strings.NewReader(body)
		}
		r, err := http.NewRequest(method, address, from)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
}

// hidden is a body of unknown length.
type hidden struct{ io.Reader }

// Handlers and clients see the same under control as they see of the real server.
func TestLikeTheReal(t *testing.T) {
	say := func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "hello") }
	write := func(n int) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, strings.Repeat("x", n)) }
	}
	status := func(code int) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(code)
			_, err := io.WriteString(w, "xyz")
			w.Header().Set("Late", fmt.Sprint(err))
		}
	}
	with := func(name, value, text string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set(name, value)
			io.WriteString(w, text)
			w.Header().Set("Late", "too late")
		}
	}
	flush := func(w http.ResponseWriter) { w.(http.Flusher).Flush() }
	get := request("GET", "http://a.b/x?y=1#f", "")
	for name, test := range map[string]struct {
		request func(*testing.T) *http.Request
		handler http.HandlerFunc
	}{
		"get":   {get, say},
		"tls":   {request("GET", "https://a.b:8/", ""), say},
		"head":  {request("HEAD", "http://a.b", ""), say},
		"put":   {request("PUT", "http://a.b", ""), say},
		"post":  {request("POST", "http://a.b/%2f", "body"), func(w http.ResponseWriter, r *http.Request) { io.Copy(w, r.Body) }},
		"echo":  {request("POST", "http://a.b", "body"), func(w http.ResponseWriter, r *http.Request) { b, _ := httputil.DumpRequest(r, true); w.Write(b) }},
		"empty": {get, func(http.ResponseWriter, *http.Request) {}},
		"2048":  {get, write(2048)}, "2049": {get, write(2049)}, "5000": {get, write(5000)},
		"204": {get, status(204)}, "304": {get, status(304)}, "418": {get, status(418)}, "599": {get, status(599)},
		"twice": {get, func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(103); w.WriteHeader(201) }},
		"wrong": {get, func(w http.ResponseWriter, r *http.Request) {
			defer func() { fmt.Fprint(w, recover()) }()
			w.WriteHeader(7)
		}},
		"short":   {get, with("Content-Length", "7", "x")},
		"long":    {get, with("Content-Length", "1", "xyz")},
		"exact":   {get, with("Content-Length", "3", "xyz")},
		"type":    {get, with("Content-Type", "a/b", "xyz")},
		"html":    {get, with("X", "y", "<html>")},
		"close":   {get, with("Connection", "close", "xyz")},
		"error":   {get, func(w http.ResponseWriter, r *http.Request) { http.Error(w, "bad", 404) }},
		"flushed": {get, func(w http.ResponseWriter, r *http.Request) { flush(w); say(w, r) }},
		"trailer": {get, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Trailer", "A, B")
			say(w, r)
			w.Header().Set("A", "1")
		}},
		"abort":      {get, func(w http.ResponseWriter, r *http.Request) { say(w, r); panic(http.ErrAbortHandler) }},
		"abort late": {get, func(w http.ResponseWriter, r *http.Request) { say(w, r); flush(w); panic(http.ErrAbortHandler) }},
		"unread": {func(t *testing.T) *http.Request {
			r := get(t)
			r.Method, r.Body = "POST", io.NopCloser(hidden{strings.NewReader("abc")})
			return r
		}, say},
		"stream": {func(t *testing.T) *http.Request {
			r := get(t)
			r.Method, r.Body, r.Header = "POST", io.NopCloser(hidden{strings.NewReader("abc")}), http.Header{"A": {"1", "2"}, "User-Agent": {"me"}}
			return r
		}, func(w http.ResponseWriter, r *http.Request) { io.Copy(w, r.Body) }},
		"bad body": {func(t *testing.T) *http.Request {
			r := get(t)
			r.Method, r.Body = "POST", io.NopCloser(io.MultiReader(strings.NewReader("abc"), failing{}))
			return r
		}, func(w http.ResponseWriter, r *http.Request) { io.Copy(io.Discard, r.Body) }},
		"cancelled": {func(t *testing.T) *http.Request {
			ctx, cancel := context.WithCancelCause(t.Context())
			cancel(errors.New("enough"))
			return get(t).WithContext(ctx)
		}, say},
		"redirect": {get, func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/x" {
				http.Redirect(w, r, "/z", http.StatusFound)
			}
		}},
		"file": {get, func(w http.ResponseWriter, r *http.Request) {
			http.ServeContent(w, r, "a.txt", time.Unix(1, 0), strings.NewReader("text"))
		}},
		"controller": {get, func(w http.ResponseWriter, r *http.Request) {
			c := http.NewResponseController(w)
			fmt.Fprint(w, c.EnableFullDuplex(), c.SetReadDeadline(time.Time{}), c.Flush())
		}},
		"values": {get, func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprint(w, r.Context().Value(http.LocalAddrContextKey), r.Context().Value(http.ServerContextKey) != nil)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			want := served(t, test.request(t), test.handler)
			outcomes := map[string]bool{}
			search := explore.Search{Strategy: "dfs", Preemptions: 1, Run: sched.Options{Patience: -1}}
			r, err := explore.Explore(nil, search, func() { outcomes[served(t, test.request(t), test.handler)] = true })
			if err != nil || r.Verdict != explore.Exhausted {
				t.Fatalf("%+v, %v", r, err)
			}
			if !outcomes[want] || len(outcomes) > 1 && name != "bad body" {
				t.Errorf("under control:\n%q\nreally:\n%q", slices.Collect(maps.Keys(outcomes)), want)
			}
		})
	}
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errors.New("broken") }

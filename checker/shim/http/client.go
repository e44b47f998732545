package http

import (
	stdcontext "context"
	"io"
	"net/http"
	"net/url"
	"reflect"
	"strings"

	"mendel/checker/sched"
	"mendel/checker/sched/effects"
	"mendel/checker/shim/context"
)

// A Client stands for an http.Client: c.Do becomes OfClient(c).Do.
type Client struct {
	real *http.Client
	what string
}

// OfClient returns what stands for c. what says what its calls do, if its transport is not
// the program's own.
func OfClient(c *http.Client, what string) Client { return Client{c, what} }

// Do is c.Do. The time-out of a client with a transport of its own is one of the request.
func (c Client) Do(r *http.Request) (*http.Response, error) {
	if !sched.Active() || c.real == nil || !own(c.real.Transport) {
		return sched.UncontrolledCall(c.real.Do, c.what)(r)
	}
	if c.real.Timeout <= 0 || r == nil {
		return c.real.Do(r)
	}
	ctx, cancel := context.WithTimeout(r.Context(), c.real.Timeout)
	patient := *c.real
	patient.Timeout = 0
	answer, err := patient.Do(r.WithContext(ctx))
	if err != nil || answer.Body == nil {
		cancel()
		return answer, err
	}
	answer.Body = &limited{answer.Body, cancel}
	return answer, nil
}

// A limited body ends the time-out of its request when it is closed.
type limited struct {
	io.ReadCloser
	cancel stdcontext.CancelFunc
}

func (b *limited) Close() error {
	b.cancel()
	return b.ReadCloser.Close()
}

// Get is c.Get.
func (c Client) Get(address string) (*http.Response, error) {
	return c.request("GET", address, "", nil)
}

// Head is c.Head.
func (c Client) Head(address string) (*http.Response, error) {
	return c.request("HEAD", address, "", nil)
}

// Post is c.Post.
func (c Client) Post(address, contentType string, body io.Reader) (*http.Response, error) {
	return c.request("POST", address, contentType, body)
}

// PostForm is c.PostForm.
func (c Client) PostForm(address string, data url.Values) (*http.Response, error) {
	return c.Post(address, "application/x-www-form-urlencoded", strings.NewReader(data.Encode()))
}

func (c Client) request(method, address, contentType string, body io.Reader) (*http.Response, error) {
	r, err := http.NewRequest(method, address, body)
	if err != nil {
		return nil, err
	}
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	return c.Do(r)
}

// A RoundTripper stands for an http.RoundTripper: t.RoundTrip becomes
// OfRoundTripper(t).RoundTrip.
type RoundTripper struct {
	real http.RoundTripper
	what string
}

// OfRoundTripper returns what stands for t. what says what it does, if it is not the
// program's own.
func OfRoundTripper(t http.RoundTripper, what string) RoundTripper { return RoundTripper{t, what} }

// RoundTrip is t.RoundTrip.
func (t RoundTripper) RoundTrip(r *http.Request) (*http.Response, error) {
	if own(t.real) {
		return t.real.RoundTrip(r)
	}
	return sched.UncontrolledCall(t.real.RoundTrip, t.what)(r)
}

// own reports whether a transport is not one of the library, or works under control all
// the same.
func own(t http.RoundTripper) bool {
	if t == nil {
		return false
	}
	if t, ok := t.(*http.Transport); ok {
		return staysControlled(t)
	}
	of := reflect.TypeOf(t)
	if of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	return !effects.Package(of.PkgPath())
}

package http

import (
	"bytes"
	stdcontext "context"
	"io"
	"maps"
	"net/http"

	"mendel/checker/sched"
	"mendel/checker/shim/context"
	"mendel/checker/shim/sync"
	"mendel/checker/shim/time"
)

// TimeoutHandler is http.TimeoutHandler.
func TimeoutHandler(h http.Handler, dt time.Duration, msg string) http.Handler {
	return &timeoutHandler{h, dt, msg}
}

type timeoutHandler struct {
	handler http.Handler
	limit   time.Duration
	message string
}

// ServeHTTP runs the handler in a goroutine of its own and waits for it, but not longer
// than the limit.
func (h *timeoutHandler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !sched.Active() {
		http.TimeoutHandler(h.handler, h.limit, h.message).ServeHTTP(w, r)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), h.limit)
	defer cancel()
	r = r.WithContext(ctx)
	answer := &recorded{header: http.Header{}, inner: w}
	done, panicked := sched.MakeChan[struct{}](0), sched.MakeChan[any](1)
	sched.Go(func() {
		defer func() {
			if p := recover(); p != nil {
				sched.Send(panicked, p)
			}
		}()
		h.handler.ServeHTTP(answer, r)
		sched.Close(done)
	})
	p := sched.From((<-chan any)(panicked))
	switch sched.Select(p, sched.From((<-chan struct{})(done)), sched.From(ctx.Done())) {
	case 0:
		panic(p.V)
	case 1:
		answer.copyTo(w)
	case 2:
		answer.giveUp(ctx.Err(), w, h.body())
	}
}

func (h *timeoutHandler) body() string {
	if h.message != "" {
		return h.message
	}
	return "<html><head><title>Timeout</title></head><body><h1>Timeout</h1></body></html>"
}

// A recorded answer is kept until the handler has ended.
type recorded struct {
	inner  http.ResponseWriter
	header http.Header

	mu   sync.Mutex
	body bytes.Buffer
	code int // 0: not yet written
	err  error
}

// Push is that of the answer itself, if it has one.
func (a *recorded) Push(target string, opts *http.PushOptions) error {
	if p, ok := a.inner.(http.Pusher); ok {
		return p.Push(target, opts)
	}
	return http.ErrNotSupported
}

func (a *recorded) Header() http.Header { return a.header }

func (a *recorded) WriteHeader(code int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.err == nil && a.code == 0 {
		a.code = code
	}
}

func (a *recorded) Write(p []byte) (int, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.err != nil {
		return 0, a.err
	}
	if a.code == 0 {
		a.code = http.StatusOK
	}
	sched.ReadElements(p)
	return a.body.Write(p)
}

func (a *recorded) copyTo(w http.ResponseWriter) {
	a.mu.Lock()
	defer a.mu.Unlock()
	maps.Copy(w.Header(), a.header)
	if a.code == 0 {
		a.code = http.StatusOK
	}
	w.WriteHeader(a.code)
	w.Write(a.body.Bytes())
}

func (a *recorded) giveUp(why error, w http.ResponseWriter, body string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	w.WriteHeader(http.StatusServiceUnavailable)
	if a.err = why; why == stdcontext.DeadlineExceeded {
		a.err = http.ErrHandlerTimeout
		io.WriteString(w, body)
	}
}

package signal

import (
	stdcontext "context"
	"os"
	"os/signal"
	"slices"

	"mendel/checker/sched"
	"mendel/checker/shim/context"
)

// A handler is a channel and the signals that it is registered for.
type handler struct {
	channel chan<- os.Signal
	all     bool
	signals []os.Signal
}

func (h *handler) wants(s os.Signal) bool { return h.all || slices.Contains(h.signals, s) }

// table is what is registered in the current execution.
var table struct {
	object   sched.Object
	handlers []*handler
	ignored  []os.Signal
}

// step is a step that uses the table. It fails outside control.
func step(what string) bool {
	if !sched.Active() {
		return false
	}
	if table.object.Fresh() { // of an earlier execution
		table.handlers, table.ignored = nil, nil
	}
	sched.Do(sched.Op{Kind: sched.KindStore, Obj: &table.object, What: what})
	sched.Acquire(&table.object)
	sched.Release(&table.object)
	return true
}

// Notify is signal.Notify.
func Notify(c chan<- os.Signal, sig ...os.Signal) {
	if c == nil {
		panic("os/signal: Notify using nil channel")
	}
	if !step("signal.Notify") {
		signal.Notify(c, sig...)
		return
	}
	table.ignored = without(table.ignored, sig)
	i := slices.IndexFunc(table.handlers, func(h *handler) bool { return h.channel == c })
	if i < 0 {
		i = len(table.handlers)
		table.handlers = append(table.handlers, &handler{channel: c})
	}
	h := table.handlers[i]
	h.all = h.all || len(sig) == 0
	h.signals = append(h.signals, sig...)
}

// Stop is signal.Stop.
func Stop(c chan<- os.Signal) {
	if !step("signal.Stop") {
		signal.Stop(c)
		return
	}
	table.handlers = slices.DeleteFunc(table.handlers, func(h *handler) bool { return h.channel == c })
}

// Reset is signal.Reset.
func Reset(sig ...os.Signal) {
	if !step("signal.Reset") {
		signal.Reset(sig...)
		return
	}
	forget(sig)
	table.ignored = without(table.ignored, sig)
}

// Ignore is signal.Ignore.
func Ignore(sig ...os.Signal) {
	if !step("signal.Ignore") {
		signal.Ignore(sig...)
		return
	}
	forget(sig)
	table.ignored = append(table.ignored, sig...)
}

// Ignored is signal.Ignored.
func Ignored(sig os.Signal) bool {
	if !step("signal.Ignored") {
		return signal.Ignored(sig)
	}
	return slices.Contains(table.ignored, sig)
}

// forget takes signals, or all of them, from the channels that are registered for them.
func forget(sig []os.Signal) {
	for _, h := range table.handlers {
		if len(sig) == 0 {
			h.all = false
		}
		h.signals = without(h.signals, sig)
	}
}

// without is a list without some signals; without all of them if there are none.
func without(list, sig []os.Signal) []os.Signal {
	return slices.DeleteFunc(list, func(s os.Signal) bool { return len(sig) == 0 || slices.Contains(sig, s) })
}

// NotifyContext is signal.NotifyContext.
func NotifyContext(parent stdcontext.Context, signals ...os.Signal) (ctx stdcontext.Context, stop stdcontext.CancelFunc) {
	if !sched.Active() {
		return signal.NotifyContext(parent, signals...)
	}
	ctx, cancel := context.WithCancelCause(parent)
	c := sched.MakeChan[os.Signal](1)
	Notify(c, signals...)
	if ctx.Err() == nil {
		sched.Go(func() {
			from := sched.From((<-chan os.Signal)(c))
			if sched.Select(from, sched.From(ctx.Done())) == 0 {
				cancel(received(from.V.String() + " signal received"))
			}
		})
	}
	return ctx, func() {
		cancel(nil)
		Stop(c)
	}
}

// received is the cause of a context that a signal ended.
type received string

func (r received) Error() string { return string(r) }

// deliver sends a signal to the channels that are registered for it; it fails if there
// are none.
func deliver(s os.Signal, what string) bool {
	if !step(what) {
		return false
	}
	if slices.Contains(table.ignored, s) {
		return true
	}
	if !slices.ContainsFunc(table.handlers, func(h *handler) bool { return h.wants(s) }) {
		return false
	}
	sched.Go(func() {
		step("delivery of signal " + s.String())
		for _, h := range slices.Clone(table.handlers) {
			if h.wants(s) {
				sched.SelectDefault(sched.To(h.channel).Case(s))
			}
		}
	})
	return true
}

// A Process stands for an os.Process: p.Signal becomes OfProcess(p).Signal.
type Process struct {
	real *os.Process
	what string
}

// OfProcess returns what stands for p. what says what a signal is, if it really is sent.
func OfProcess(p *os.Process, what string) Process { return Process{p, what} }

// Signal is p.Signal.
func (p Process) Signal(s os.Signal) error {
	if p.real != nil && p.real.Pid == os.Getpid() && deliver(s, "Process.Signal") {
		return nil
	}
	return sched.UncontrolledCall(p.real.Signal, p.what)(s)
}

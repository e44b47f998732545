// Package httptest has what stands for NewTestServer and the methods of servers of
// net/http/httptest in a program under test. The network in memory that such a server
// has is modelled by the request: the handler runs in a goroutine under control, and the
// client waits for what it answers. So few steps stand for the thousands that the real
// client, network and server take, and a test with some requests can be exhausted.
//
// # What is as in the real program
//
// Handler and client meet where they can notice each other: the answer comes when it is
// flushed, when it is larger than the server's buffers, or when the handler returns.
// A request's context ends when its handler returns, and when the client has gone and the
// body was read. Close waits for the handlers that run. Requests during Close fail,
// requests after it wait for ever. A body that a client sends is read before the answer
// begins, up to 256 KiB, unless the handler asks for full duplex. In a bubble of
// testing/synctest, the connection of a body that was neither read nor closed keeps the
// bubble from ending.
//
// # What is not
//
// Each request has a connection of its own: no request waits for another, or is ordered
// after it, because of a connection that they share. A header Date is that of the start of
// the execution, and the Request of an answer may be a copy. What is known of no request by itself is not modelled: a
// server whose Config has a ConnState, a ConnContext or time-outs, one that was started on the loopback
// network, and a transport that was cloned are the real ones, outside control. A handler
// that takes over its connection, and a test that asks for the server's certificate, give
// the execution up.
package httptest

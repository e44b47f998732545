// Package socket has the sockets of a program under control: TCP and UDP on the loopback
// addresses and Unix stream sockets, in memory. The target's own package net calls it where it would
// ask the operating system, through a few statements that the instrumentation puts into
// functions of netFD. So a *net.TCPConn is one as always, and net/http, crypto/tls and all
// others use it unchanged.
//
// # What a socket is
//
// A connection is two streams, one each way, and an object of the scheduler. Dialling,
// accepting, reading, writing, closing and setting a deadline are operations on it, which
// strategies see. Listening, dialling and accepting are operations on the one network of
// the execution. What would block is not enabled. Deadlines are timers of virtual time.
//
// What was done before a Write happens before what follows a Read of the same stream that
// comes later. That is less than the runtime's race detector takes for ordered, in which
// any system call that writes comes before any later one that reads. It is what a program
// can rely on. Dialling and accepting order nothing, as there.
//
// A socket of UDP is one of the network: sending and receiving packets are operations on
// that. What was done before a packet was sent to a socket happens before what follows a
// later receipt there.
//
// # What is as in the kernel
//
// Errors are those of Linux: a connection that was closed before all was read is reset, and
// reading tells that once; writing fails from the second time on after the other end was
// closed. A dialled connection is established before it is accepted. Bytes that were read
// at once may have been written in parts and the other way round, but what was written by
// one call and fits arrives as a whole.
//
// # What is not
//
// A stream holds a fixed number of bytes, before its writer waits: what Linux mostly takes
// on a loopback connection. Ports are given out in order, the same in all executions. A
// port on which nobody has listened in the execution is one of the real network: another
// process may listen there. So is a Unix socket at which nobody has listened. What is
// written to a Unix socket may be read in other parts than it was written, as with TCP.
// Packets of UDP arrive in the order in which they were sent, and all of them, as long as
// their receiver has room. That some are lost or overtake others is not tried.
package socket

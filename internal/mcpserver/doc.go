// Package mcpserver serves commands of Mendel as tools of the Model Context Protocol
// (MCP), for agents and editors.
//
// A tool is a command with typed input: [Serve] makes a command line of the input, lets a
// [Runner] run it, and returns what it has found: the text for people as content, and the
// document that the command prints with --json as structured content. So a tool can do
// nothing that the command line cannot, and knows the same settings.
//
//	err := mcpserver.Serve(ctx, os.Stdin, os.Stdout, mcpserver.Options{Version: "v1.2.3", Run: run})
//
// # Words
//
// A call is one use of a tool by a client. An error of a call is that nothing was found
// out: bad usage, a package that does not build. A test that fails is a result.
//
// # How
//
// Calls run one after the other: they measure times, and each wants all processors. What
// a command tells by its events becomes progress notifications, if the client has asked
// for some; steps of a search that are no progress are left out, and something is sent
// every ten seconds, so that a client knows that the work goes on. A call ends when the
// client cancels it, and all do when the client is gone: the context of the command ends,
// and with it whatever it has started. [Serve] returns when the last command has returned.
//
// # Limits
//
// A message longer than 16 MB, or one that is no JSON, ends the connection.
package mcpserver

// Package commands runs git and the go command for an evaluation and reads what
// they print.
//
// An evaluation must not trust the tool it evaluates, so it builds, vets and
// tests patched programs with the same commands that a user would type. Every
// command runs in gotool.Run, within limits.
//
// Words: a problem is what a command says against a program, such as a failed
// build; "" means success. An error is what kept a command from an answer.
//
//	_, problem, err := commands.GoSays(ctx, dir, "vet", "./...")
//	if err == nil && problem != "" {
//		fmt.Println("the program is wrong:", problem)
//	}
package commands

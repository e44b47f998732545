// Package kill kills repairs at random moments, resumes them, and compares the
// outcome with that of repairs that nobody disturbed.
//
// Run starts mendel as a process, kills it with SIGKILL and goes on with mendel
// repair --resume. It reads the store without the store's own code, because that
// code is under test. Each repair must end with the same fix, no score may be
// lost or made twice, and no process or temporary file may be left.
//
//	err := kill.Run(ctx, kill.Options{
//		Subject: "account", Dir: "subjects", Times: 20, Undisturbed: 3, Seed: 1, Limit: 5 * time.Minute,
//	}, os.Stdout, os.Stderr)
package kill

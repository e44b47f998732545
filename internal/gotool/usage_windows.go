package gotool

import "os"

// usageOf knows nothing here.
func usageOf(*os.ProcessState) usage { return usage{} }

// onlyDir are flags to open a directory.
const onlyDir = os.O_RDONLY

// occupied is a file's size, in bytes.
func occupied(info os.FileInfo) int64 { return info.Size() }

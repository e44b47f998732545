//go:build !unix

package hook

import "errors"

// mapped maps a file into memory, which is done on Unix alone.
func mapped(string, int) ([]byte, error) { return nil, errors.ErrUnsupported }

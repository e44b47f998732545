package main

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
)

// openPage shows a file in the browser and does not wait for it.
func openPage(name string) error {
	name, err := filepath.Abs(name)
	if err != nil {
		return fmt.Errorf("open the report: %w", err)
	}
	args := opener(runtime.GOOS, name)
	c := exec.Command(args[0], args[1:]...)
	c.SysProcAttr = detached()
	if err := c.Start(); err != nil {
		return fmt.Errorf("open the report: %w; open %s yourself", err, name)
	}
	return c.Process.Release()
}

// opener is the command with which a system opens a file.
func opener(system, name string) []string {
	switch system {
	case "darwin":
		return []string{"open", name}
	case "windows":
		return []string{"rundll32", "url.dll,FileProtocolHandler", name}
	}
	return []string{"xdg-open", name}
}

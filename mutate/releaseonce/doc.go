// Package releaseonce lets a resource be released once.
package releaseonce

// Package scope says what names mean, and which are free, where a function stands.
package scope

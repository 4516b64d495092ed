package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/toolcrib/toolcrib/host"
	"github.com/toolcrib/toolcrib/host/pipeline"
	"github.com/toolcrib/toolcrib/host/plaintext"
)

// The exit codes that docs/cli.md promises.
const (
	exitOK          = 0
	exitFailed      = 1   // the tool answered with an error, or something broke
	exitUsage       = 2   // the command line or the tool's input is wrong
	exitRefused     = 3   // policy, a hook or the person said no, nobody could be asked, or fmt --check found something
	exitConfig      = 4   // config.hcl has errors
	exitInterrupted = 130 // Ctrl-C
)

// errToolFailed is a call whose result, already printed, is an error.
var errToolFailed = silent(errors.New("the tool answered with an error"))

// silentError keeps its exit code and has been printed already.
type silentError struct{ error }

func (e silentError) Unwrap() error { return e.error }

// silent marks an error as printed; nil stays nil.
func silent(err error) error {
	if err == nil {
		return nil
	}
	return silentError{err}
}

func exitCode(err error) int {
	var usage *usageError
	var refusal *pipeline.Refusal
	var invalid *host.ConfigError
	var untrusted *host.UntrustedError
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &usage):
		return exitUsage
	case errors.As(err, &invalid):
		return exitConfig
	case errors.As(err, &refusal):
		return refusalCode(refusal.Code)
	case errors.As(err, &untrusted), errors.Is(err, errNotFormatted):
		return exitRefused
	case errors.Is(err, context.Canceled):
		return exitInterrupted
	}
	return exitFailed
}

func refusalCode(code pipeline.Code) int {
	switch code {
	case pipeline.UnknownTool, pipeline.InvalidInput:
		return exitUsage
	case pipeline.PolicyDenied, pipeline.PersonDenied, pipeline.NobodyToAsk, pipeline.ToolDenied:
		return exitRefused
	case pipeline.Cancelled:
		return exitInterrupted
	}
	return exitFailed
}

// printError writes "toolcrib: what happened", then a line that says what to do.
func printError(w io.Writer, err error) {
	if errors.As(err, new(silentError)) {
		return
	}
	var invalid *host.ConfigError
	if errors.As(err, &invalid) {
		invalid.Diagnostics.Render(w, colorful(w))
	}
	fmt.Fprintln(w, "toolcrib: "+plaintext.Block(err.Error()))
	if hint := hintOf(err); hint != "" {
		fmt.Fprintln(w, "hint: "+plaintext.Block(hint))
	}
}

func hintOf(err error) string {
	var refusal *pipeline.Refusal
	if errors.As(err, &refusal) {
		return refusal.Hint
	}
	var hinted interface{ Hint() string }
	if errors.As(err, &hinted) {
		return hinted.Hint()
	}
	return ""
}

// describeError is an error in the shape of docs/cli.md.
func describeError(err error) *errorDocument {
	document := &errorDocument{Reason: err.Error(), Hint: hintOf(err)}
	var refusal *pipeline.Refusal
	if errors.As(err, &refusal) {
		document.Code, document.Stage, document.Reason = refusal.Code, refusal.Stage, refusal.Reason
	}
	return document
}

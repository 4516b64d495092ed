// Package conformance checks that a program keeps the contract of a provider, as
// plugin.proto and docs/plugins.md have it. It knows nothing of the language that
// the program is written in: it starts the command as a host does and speaks the
// protocol with it.
//
// Package sdktest runs it in `go test`, and `toolcrib plugin check` for any
// program:
//
//	report, err := conformance.Check(ctx, []string{"./words"}, conformance.Options{})
//
// # What is called
//
// A suite must not do harm. Every tool is listed and planned, since a plan has no
// side effects. A tool is called only when it says that it is read-only and does
// not reach beyond the machine, with an input made from its schema, or when
// [Options] has an input for it. What was not called is a finding, too.
package conformance

// Package config reads config.hcl: which providers a workspace has, how they
// are configured, and what policy says of their tools.
//
// # The table
//
// [Blocks] describes every block and argument: its type, default and meaning,
// how the values of several files become one, and what a workspace may do with
// it. Decoding and merging follow the table, and docs/configuration.md and the
// schema for editors are made of it.
//
// # Layers
//
// [Load] reads the person's own file (~/.config/toolcrib/config.hcl) and the
// workspace's: .toolcrib/config.hcl, or a config.hcl with a toolcrib block, in
// the nearest ancestor of the folder it is asked for. That ancestor is the
// workspace root. A config.local.hcl beside the workspace's file is read after
// it. Settings from the command line come last. Each file may be in HCL's JSON
// syntax instead, with .json at the end of its name.
//
// Blocks are merged by type and label, argument by argument. The workspace's side
// ([Layer.Foreign]) only narrows what the person says: what would widen it has no
// effect and is told at its line. The person's flags may widen anything.
// [Config.Values] tells where each value comes from.
//
// [Config.Restricted] is what counts in a workspace that the person does not
// trust: of the workspace's files, only what makes it more careful.
//
// # Expressions
//
// Values may use variables, functions, path and host. The two sides have separate
// variables: a workspace's file can neither read nor change those of the person's,
// and env gives it only what its providers could be given. A sensitive value can
// stand only where it is never shown, and is left out of diagnostics and of
// Values. Digests change with it.
//
// A file is evaluated before anybody trusts it. Every value that is made on the
// way is paid for out of a budget, one for each side, so that a short file can
// take neither the memory nor the time of who reads it.
//
// # Diagnostics
//
// What a person typed wrong is a [Diagnostic] with file, line, the source line,
// the values of the variables there and the nearest right spelling. One fault
// gives one diagnostic: what depends on a value with a fault says nothing more. A
// fault never voids what stands beside it: Load returns what it could make of the
// rest, and tells of everything that has no effect.
//
// The config block of a plugin is read late, by [Plugin.DecodeConfig], against
// the schema that the plugin reports. What the plugin then says of the values
// is put at their source line by [Plugin.DiagnosticAt].
//
// The package starts no process. Of the environment it reads what variables ask
// for.
package config

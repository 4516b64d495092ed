// Package config reads config.hcl: which providers a workspace has, how they
// are configured, and what policy says of their tools.
//
// # Layers
//
// [Load] reads the person's own file (~/.config/toolcrib/config.hcl) and the
// workspace's: .toolcrib/config.hcl, or a config.hcl with a toolcrib block, in
// the nearest ancestor of the folder it is asked for. That ancestor is the
// workspace root. A plugin block of the workspace narrows or completes the
// block of the same name in the person's file, attribute by attribute; rules
// and trusted commands add up. Of two approval modes the more careful one
// counts, and a workspace cannot choose trust.
//
// [Config.Restricted] is what counts in a workspace that the person does not
// trust: of the workspace's file, only its deny and ask rules.
//
// # Diagnostics
//
// What a person typed wrong is a [Diagnostic] with file, line, the source line
// and, where there is one, the nearest right spelling. A fault never voids what
// stands beside it: Load returns what it could make of the rest.
//
// The config block of a plugin is read late, by [Plugin.DecodeConfig], against
// the schema that the plugin reports. What the plugin then says of the values
// is put at their source line by [Plugin.DiagnosticAt].
//
// The package starts no process and reads no environment but for the place of
// the person's file.
package config

// Package foreign reads the permission rules of other coding agents and writes
// them as a policy block of config.hcl: the settings.json of Claude Code and the
// .rules files of Codex.
package foreign

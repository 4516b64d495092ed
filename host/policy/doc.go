// Package policy decides whether a call may run: allow it, ask a person, or
// deny it, with the reason, the rule and the risk that a person reads.
//
// # Order
//
// An [Engine] judges one [Call] by the first of these that applies:
//
//  1. a deny rule: deny
//  2. an ask rule: ask
//  3. a command that cannot be analysed, a critical command, or a command of
//     which a deny or ask rule might match a part that is not known before it
//     runs: ask
//  4. mode recommend: ask
//  5. an allow rule, or for Bash the trusted commands: allow
//  6. mode trust: allow
//  7. mode auto: ask for shell commands and tools declared destructive,
//     otherwise allow
//
// # Rules
//
// A rule is a tool's exact name, or Bash with a command pattern:
//
//	Read                    every call of Read
//	Bash                    every shell command; Bash(*) is the same
//	Bash(git status)        exactly that command
//	Bash(git push *)        git push, alone or with arguments
//	Bash(git push:*)        the same
//
// Matching is lopsided. An allow rule needs every part of a compound command,
// each known word for word, and no file written by a redirection. A deny or an
// ask rule needs any part, wherever it stands: in a substitution, a function, a
// loop, behind env or sudo, by its absolute path.
//
// # Shell
//
// [Analyze] reads a command with a real shell grammar and lists its simple
// commands after quote removal. It runs nothing and reads no file.
package policy

// Package policy decides whether a call may run: allow it, ask a person, or
// deny it, with the reason, the rule and the risk that a person reads.
//
// # Order
//
// An [Engine] judges one [Call] by the first of these that applies:
//
//  1. a deny rule: deny
//  2. an ask rule: ask
//  3. a command that cannot be analysed, a critical command, a protected path, or
//     a part of which it is not known before it runs whether a deny or ask rule
//     matches: ask
//  4. mode recommend: ask
//  5. an allow rule, or for Bash a trusted or read-only command: allow
//  6. mode trust: allow
//  7. mode auto: ask for shell commands and tools declared destructive,
//     otherwise allow
//
// # Rules
//
// A rule is a tool, or a tool with what it is called for; docs/policy.md tells
// all forms. Matching is lopsided. An allow rule needs every part of a compound
// command, each known word for word, both ends of a link, and the case as it is.
// A deny or an ask rule needs any part, wherever it stands: in a substitution, a
// function, a loop, behind env or sudo, by its absolute path; a file by whatever
// command touches it, through links.
//
// # From a script to a decision
//
// [Analyze] reads a command with a real shell grammar (mvdan.cc/sh) and goes
// through it in the order of execution, with what is known of variables and of
// the folder ([scope], [walker]). It lists simple commands after quote removal,
// each with its readings ([form]): as written, and what its wrappers run. It
// runs nothing and reads no file.
//
// A [judgement] compares rules with the readings and with the files that they
// touch ([touch]). Which arguments are files is in a table ([fileCommand]);
// where they lead is found out by [places], which reads the file system.
package policy

// Package terminal runs the person's shell on a terminal of its own, hands
// commands over to it, and keeps the screen that a front draws.
//
// [Open] starts a bash or a zsh, with the person's own startup files and a
// shell integration that is injected without touching them. [Terminal.Write]
// passes keys on, [Terminal.Snapshot] is what to draw, and [Terminal.Changed]
// says when. [Terminal.Run] hands a command over.
//
// # Handing a command over
//
// The command is staged in a private directory. At a prompt the host sends a
// key that the integration has bound. The shell answers it with a mark and has
// then put one short line into its line editor, in place of what the person
// may have half typed, which comes back at the next prompt. The line claims
// the staged command and evals it at the top level of the shell, so that
// aliases, functions, directories and variables are the person's and stay
// changed. The person sees it run, can answer its questions and can press
// Ctrl-C. The command gets its place in the shell's history; the line does not.
//
// The start and the end of the command are marks that carry a token of 128
// random bits. The shell reads it from a file of mode 0600 when a mark is due
// and keeps it nowhere: it is in no variable, environment or history while the
// command runs. What a command prints can therefore not imitate its end. A
// program that runs as the same user and goes looking for that file can; it
// could also drive the shell with a debugger.
//
// # What a command may do to the shell
//
// What it would do when typed. exit, exec, and set -e with a failure end the
// person's shell; Run reports it, and [Terminal.Restart] starts another. An
// errexit that the person's shell had on before is suspended while a handed-off
// command runs, so that its failure does not end the shell.
//
// Environment variables are the person's too. A command that starts a pager
// shows it to the person, who can quit it. A caller that wants no pager says so
// in the command ("git --no-pager log", "PAGER=cat man ls").
//
// # Shells
//
// bash from 3.2 and zsh from 5.0. A shell that is configured and neither is an
// error; a $SHELL that is neither gives bash. The shells are interactive and
// not login shells: they inherit the environment of a host that was itself
// started from a login. In bash before 4 (macOS), bound commands cannot change
// the line: half-typed text is killed and Ctrl-Y brings it back.
//
// # Prompts without marks
//
// PS1 and PROMPT_COMMAND are the person's, and a startup file that is read again
// replaces them. The host then finds the prompt by asking: when nothing was
// printed or typed for a while and the shell edits a line, it presses a bound key
// that has the shell tell a prompt from a read, and put its marks back. A shell
// that does not answer is reported as [ErrUnresponsive].
//
// # Ends
//
// [Terminal.Close] hangs up the shell and its session, and kills what is left.
// When the host dies without Close, the kernel hangs up the terminal: the shell
// gets SIGHUP and ends, and a shell that ignores it ends at its next prompt,
// where it can read no more. Whether its background jobs end is then up to the
// shell, which passes the hangup on unless it is cut short, and to the jobs
// (nohup), as in any terminal that is killed. Its private directory is removed by
// the next Open.
package terminal

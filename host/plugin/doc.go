// Package plugin runs providers: programs that offer tools over the protocol of
// package sdk/proto, each in a process of its own.
//
// A [Supervisor] is one provider's life, from its declaration to the end of the
// host. It starts a process when a tool is first needed, notices when it dies,
// starts it again for the next call, gives up on one that keeps dying, and puts
// a new one beside the old when its declaration changes. Every process is a
// generation; a call holds a [Lease] on one of them, so that a replaced
// generation ends only when its calls have.
//
// # The process
//
// go-plugin negotiates and connects, and this package runs the process, because
// the stock runner shares standard input, waits for ever on a pipe that a
// grandchild holds, and leaves processes behind. Here
//
//   - the program that runs is the file whose SHA-256 was taken, also when
//     another file takes its place meanwhile (on Linux; see [executable.ChecksumError]),
//   - its environment is an allow-list and what the [Spec] names,
//   - standard input is /dev/null, standard output only carries the handshake
//     and can say anything else without blocking, and the end of standard error
//     goes into every error (see [ExitError]),
//   - it leads a process group, which ends with it however it ends, and so do
//     descendants that have left the group. On macOS those of a provider that
//     crashed cannot be found any more; on Linux a variable in their environment
//     tells them,
//   - when the host is killed, the kernel sends it SIGTERM (Linux), and the pipe
//     that package sdk calls the lifeline reads end-of-file (everywhere); the SDK
//     then takes down the process with its descendants. On macOS a provider that
//     was not made with the SDK has to watch the lifeline itself.
package plugin

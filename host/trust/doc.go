// Package trust remembers which plugin sets a person has agreed to.
//
// A workspace's config.hcl comes from whoever wrote the repository. Before the
// person agreed, nothing that it declares is started and nothing that it allows
// runs unasked. [Survey] lists what a configuration would start and allow as a
// [Set]; [Store.Check] compares that with what the person agreed to for this
// workspace, and says what to ask and what has changed.
//
// # What is agreed to
//
// A set holds, for every plugin that the workspace's file declares or
// configures: the program with its checksum, the arguments and the checksums of
// files among them, the names of environment variables and digests of their
// values, and a digest of the config block. It holds the allow rules and trusted
// commands of the workspace's file too. An agreement covers exactly one set:
// whatever changes is asked about again.
//
// Plugins that only the person's own configuration declares, and bundled ones
// that the workspace does not configure, need no agreement.
//
// # Where it is kept
//
// Records are in the person's state folder, one file for each workspace, under
// the path of the workspace with its links resolved. A record that others could
// have written is not believed.
package trust

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
// A set holds, for every plugin that the workspace's files declare or configure,
// and for every hook: the program with its checksum, the arguments, and the
// checksums of the files that arguments and environment lead to, such as a script,
// a Python module, or the interpreter that a script of the workspace names. Of a
// plugin it holds also the names of environment variables with digests of their
// values, the names of those of the person's that it asks for, and a digest of the
// config block. What the workspace's files allow is part of it. An agreement covers
// exactly one set: whatever changes is asked about again. What a script loads by
// itself is not looked at.
//
// Plugins that only the person's own configuration declares, and bundled ones
// that the workspace does not configure, need no agreement.
//
// # The gate
//
// A [Program] is what can be started, and only an [Agreement] gives one, or [Own]
// for what is the person's. Package executable opens nothing else to run it, and
// looks at program and files once more when it does. Tests at the root of the
// module and of cmd/toolcrib hold that there is no other way.
//
// # Where it is kept
//
// Records are in the person's state folder, one file for each workspace, under its
// path with links resolved and names spelled as they are stored. So a workspace is
// the same through a link, and a copied or moved one is another. A record that
// others could have written, or that came along with the files of the workspace,
// is not believed.
package trust

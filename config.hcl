# The workspace of this repository, and the sample that docs/ explains. Toolcrib
# reads it when it is started in this folder or in one below. Check it with
#
#     toolcrib validate

# This block is what tells our config.hcl from another program's. The version is
# read first: an older toolcrib says that it is too old, instead of complaining
# about what it does not know.
toolcrib {
  required_version = ">= 0.1.0"
}

# A plugin is a program that offers tools. "builtin" comes with toolcrib (Read,
# Edit and Bash), so it needs no command and not even this block, which only
# changes its settings. What may stand in config {} is up to the plugin: a typo
# in it is shown with its line, as anywhere else.
plugin "builtin" {
  config {
    bash {
      timeout = "2m" # how long a command may run when the call does not say
    }
    read {
      max_bytes = 65536 # how much of a file one call shows
    }
  }
}

# A plugin of our own, from examples/words; `make build` puts it here. Its tools
# are called words__count and so on. A relative command is relative to this
# folder. Nothing is started before you agreed to it, once, with `toolcrib trust`
# or in the session; when the program changes, you are asked again.
plugin "words" {
  command = ["./bin/words"]

  config {
    limits {
      max_bytes = 1000000 # larger files are not counted
    }
  }
}

# What may run, and what a person is asked about. A denied call is denied
# whatever else is said, then come the rules that ask, then those that allow.
policy {
  # recommend: every call asks. auto: shell commands and tools that say they are
  # destructive ask. The third mode, trust, is not a workspace's to choose: a
  # person chooses it for a session.
  approval_mode = "auto"

  # Commands that run without asking, by their first words: "git diff" covers
  # `git diff --stat`, and neither `git diff; rm x` nor `git diff > x`. Some
  # options run programs or write files, as `git diff --output=x` does, so list
  # only what you would let run with any options.
  trusted_commands = [
    "git status",
    "go version",
    "go vet ./...",
    "ls",
    "pwd",
  ]

  # Rules are a tool, or a tool with what it is called for: Bash(command *),
  # Read(path), WebFetch(domain:host); docs/policy.md has them all. Deny and ask
  # hold wherever the command stands: in a pipe, in $(...), behind sudo.
  deny = [
    "Bash(git push --force *)",
    "Bash(git push -f *)",
  ]
  ask = [
    "Bash(git push *)",
  ]
  allow = [
    "Bash(make test)",
  ]
}

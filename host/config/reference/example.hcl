toolcrib {
  required_version = ">= 0.1.0"
}

variable "lang" {
  description = "Language of the notes"
  default     = "en"
}

variable "notes_key" {
  description = "Key of the notes server"
  default     = ""
  sensitive   = true
}

# A plugin of this workspace. A relative path is relative to the workspace.
plugin "notes" {
  command  = ["./bin/notes", "--lang", var.lang]
  env      = { NOTES_KEY = var.notes_key }
  pass_env = ["GITHUB_TOKEN"] # yours, if your own file allows it
  load     = "deferred"       # found by ToolSearch
  tools    = { search = "always", "delete_*" = "off" }

  config {
    folder = "${path.workspace}/notes"
  }
}

# Settings of a bundled plugin.
plugin "builtin" {
  config {
    bash {
      timeout = "2m"
    }
  }
}

hook "guard" {
  event    = "pre_tool_use"
  matcher  = "Bash"
  command  = ["./guard.sh"]
  timeout  = "5s"
  on_error = "block"
}

policy {
  approval_mode      = "auto"
  read_only_commands = "allow"
  trusted_commands   = ["go vet ./...", "go test ./..."]
  trusted_providers  = ["notes"]

  deny = ["Read(.env)", "Bash(git push --force *)"]
  ask = [
    { rule = "Bash(git push *)", match = ["git push origin"], not_match = ["git pull"] },
  ]
  allow = ["Bash(make test)"]
}

pool {
  visible_tokens = 8000
  learn          = true
}

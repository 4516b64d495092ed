# Rules that hold in every workspace.
policy {
  approval_mode = "auto"
  deny          = ["Read(~/.ssh/**)", "Bash(sudo *)"]
}

# The variables of yours that plugins get when they ask for them.
environment {
  allow = ["GITHUB_TOKEN", "JIRA_*"]
}

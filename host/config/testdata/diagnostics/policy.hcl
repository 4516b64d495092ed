toolcrib {}

policy {
  approval_mode    = "trust" #@diag("Only you can let nearly everything run unasked")
  read_only_commands = "yes" #@diag("Unknown value \"yes\"")
  trusted_commands = ["git status", "ls; rm"] #@diag("not one plain command")
  deny = [
    "Bash(rm *)",
    "Bash(rm", #@diag("its parenthesis is not closed")
    "", #@diag("it is empty")
    "WebSearch(x)", #@diag("WebSearch takes no such specifier")
    "Raed(./x)", #@diag("no tool is called Raed")
    "Wrte", #@diag("Did you mean \"Write\"?")
    "jria__search", #@diag("No plugin is declared as \"jria\".")
    { rule = "Bash(git push *)", match = ["git push origin"], not_match = ["git pull"] },
    { rule = "Read(.env)", match = [".env", "a/.env"], not_match = [".env.local", "a/.env"] }, #@diag("The rule is Read(.env).")
    { rule = "Bash(git push *)", match = ["git pull"] }, #@diag("The example does not match its rule")
    { rule = "Edit(x)", matches = [] }, #@diag("Did you mean \"match\"?")
    { match = ["x"] }, #@diag("The rule is missing")
    3, #@diag("Put it in quotes: \"3\".")
    "Edit",
  ]
  ask   = "Bash" #@diag("It must be a list of strings, and this is a string.")
  allow = ["Bash(ls *)", "Bash()"] #@diag("the parentheses are empty")
}

policy { #@diag("The first one is at config.hcl:3.")
  deny = ["Write"]
}

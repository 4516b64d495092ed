toolcrib {}

policy {
  approval_mode    = "trust" #@diag("Only you can let nearly everything run unasked")
  trusted_commands = ["git status", "ls; rm"] #@diag("not one plain command")
  deny = [
    "Bash(rm *)",
    "Bash(rm", #@diag("its parenthesis is not closed")
    "", #@diag("it is empty")
    "Read(./x)", #@diag("Read takes no specifier")
    3, #@diag("Put it in quotes: \"3\".")
    "Edit",
  ]
  ask   = "Bash" #@diag("It must be a list of strings, and this is a string.")
  allow = ["Bash(ls *)", "Bash()"] #@diag("the parentheses are empty")
}

policy { #@diag("The first block is at config.hcl:3.")
  deny = ["Write"]
}

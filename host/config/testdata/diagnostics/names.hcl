toolcrib {
  required_versoin = ">= 0.1.0" #@diag("Did you mean \"required_version\"?")
}

polcy { #@diag("Did you mean \"policy\"?")
}

plugin "words" {
  command = ["./bin/words"]
  enf     = {} #@diag("Did you mean \"env\"?")

  confg { #@diag("Did you mean \"config\"?")
  }
}

plugin "bultin" { #@diag("Did you mean \"builtin\"?")
}

policy {
  aproval_mode = "auto" #@diag("Did you mean \"approval_mode\"?")
  trusted_providers = ["wrods", "words", "other"] #@diag("Did you mean \"words\"?") #@diag("No plugin is declared as \"other\"")
}

colour = "red" #@diag("An argument named \"colour\" is not expected here.")

toolcrib { #@diag("The first one is at config.hcl:1.")
}

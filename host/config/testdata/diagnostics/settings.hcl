toolcrib {}

plugin "words" {
  command  = ["./bin/words"]
  load     = "off" #@diag("It must be one of \"always\" or \"deferred\".")
  tools    = { count = "defered", "delete_*" = "off" } #@diag("Did you mean \"deferred\"?")
  pass_env = ["A", "B=C"] #@diag("Write the name of a variable")
}

plugin "other" {
  command = ["./bin/other"]
  tools { #@diag("Did you mean to define argument \"tools\"?")
    count = "off"
  }
}

pool {
  visible_tokens = 0 #@diag("at least 1")
  learn          = "no" #@diag("It must be true or false, and this is a string.")
}

pool { #@diag("The first one is at config.hcl:17.")
  learn = false
}

environment { #@diag("A workspace cannot have the environment block")
  allow = ["GITHUB_TOKEN"]
}

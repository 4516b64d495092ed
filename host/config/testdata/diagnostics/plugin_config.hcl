toolcrib {}

variable "lang" {
  default = "en"
}

plugin "checked" {
  command = ["./checked"]

  config {
    name    = 1.10 #@diag("Put it in quotes: \"1.10\".")
    timout  = "2m" #@diag("Did you mean \"timeout\"?")
    level   = "hgih" #@diag("Did you mean \"high\"?")
    count   = "three" #@diag("It must be a whole number, and this is a string.")
    on      = var.lang #@diag("It must be true or false, and this is a string.")
    tags    = ["a", [var.lnag], { b = 1 }] #@diag("It must be a string, and this is an object.") #@diag("Did you mean \"lang\"?")
    vars    = { a = uper("x") } #@diag("Did you mean \"upper\"?")
    servers {
      url = "u"
      limits {
        max_bytes = "many" #@diag("It must be a whole number, and this is a string.")
        max_bites = 1 #@diag("An argument named \"max_bites\" is not expected here.")
      }
    }
    servers { #@diag("Add an argument \"url\"")
      limts { #@diag("Did you mean \"limits\"?")
      }
    }
    limits {
      max_bytes = 1
    }
    limits { #@diag("The first block is at config.hcl:29.")
    }
  }
}

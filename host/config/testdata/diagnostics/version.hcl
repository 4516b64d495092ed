toolcrib {
  required_version = ">= 9.0" #@diag("It requires >= 9.0, and this is 0.3.0-dev.")
}
future "block" {}

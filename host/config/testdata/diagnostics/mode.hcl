toolcrib {}
policy {
  approval_mode = "recomend" #@diag("Did you mean \"recommend\"?")
}

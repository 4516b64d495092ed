toolcrib {}

variable "v00" {
  default = ["x"]
}

variable "v01" {
  default = [var.v00, var.v00, var.v00, var.v00, var.v00, var.v00, var.v00, var.v00, var.v00, var.v00]
}

variable "v02" {
  default = [var.v01, var.v01, var.v01, var.v01, var.v01, var.v01, var.v01, var.v01, var.v01, var.v01]
}

variable "v03" {
  default = [var.v02, var.v02, var.v02, var.v02, var.v02, var.v02, var.v02, var.v02, var.v02, var.v02]
}

variable "v04" {
  default = [var.v03, var.v03, var.v03, var.v03, var.v03, var.v03, var.v03, var.v03, var.v03, var.v03]
}

variable "v05" {
  default = [var.v04, var.v04, var.v04, var.v04, var.v04, var.v04, var.v04, var.v04, var.v04, var.v04] #@diag("The value is too large")
}

variable "v06" {
  default = [var.v05, var.v05, var.v05, var.v05, var.v05, var.v05, var.v05, var.v05, var.v05, var.v05]
}

variable "v07" {
  default = [var.v06, var.v06, var.v06, var.v06, var.v06, var.v06, var.v06, var.v06, var.v06, var.v06]
}

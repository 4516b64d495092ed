toolcrib {}

variable "v00" {
  default = ["x"]
}

variable "v01" {
  default = concat(var.v00, var.v00)
}

variable "v02" {
  default = concat(var.v01, var.v01)
}

variable "v03" {
  default = concat(var.v02, var.v02)
}

variable "v04" {
  default = concat(var.v03, var.v03)
}

variable "v05" {
  default = concat(var.v04, var.v04)
}

variable "v06" {
  default = concat(var.v05, var.v05)
}

variable "v07" {
  default = concat(var.v06, var.v06)
}

variable "v08" {
  default = concat(var.v07, var.v07)
}

variable "v09" {
  default = concat(var.v08, var.v08)
}

variable "v10" {
  default = concat(var.v09, var.v09)
}

variable "v11" {
  default = concat(var.v10, var.v10)
}

variable "v12" {
  default = concat(var.v11, var.v11)
}

variable "v13" {
  default = concat(var.v12, var.v12)
}

variable "v14" {
  default = concat(var.v13, var.v13)
}

variable "v15" {
  default = concat(var.v14, var.v14)
}

variable "v16" {
  default = concat(var.v15, var.v15) #@diag("The value is too large")
}

variable "v17" {
  default = concat(var.v16, var.v16)
}

variable "v18" {
  default = concat(var.v17, var.v17)
}

variable "v19" {
  default = concat(var.v18, var.v18)
}

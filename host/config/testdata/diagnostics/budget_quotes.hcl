toolcrib {}

variable "v00" {
  default = "<<<<<<<<<<"
}

variable "v01" {
  default = jsonencode(var.v00)
}

variable "v02" {
  default = jsonencode(var.v01)
}

variable "v03" {
  default = jsonencode(var.v02)
}

variable "v04" {
  default = jsonencode(var.v03)
}

variable "v05" {
  default = jsonencode(var.v04)
}

variable "v06" {
  default = jsonencode(var.v05)
}

variable "v07" {
  default = jsonencode(var.v06)
}

variable "v08" {
  default = jsonencode(var.v07)
}

variable "v09" {
  default = jsonencode(var.v08)
}

variable "v10" {
  default = jsonencode(var.v09)
}

variable "v11" {
  default = jsonencode(var.v10)
}

variable "v12" {
  default = jsonencode(var.v11)
}

variable "v13" {
  default = jsonencode(var.v12)
}

variable "v14" {
  default = jsonencode(var.v13)
}

variable "v15" {
  default = jsonencode(var.v14)
}

variable "v16" {
  default = jsonencode(var.v15)
}

variable "v17" {
  default = jsonencode(var.v16)
}

variable "v18" {
  default = jsonencode(var.v17)
}

variable "v19" {
  default = jsonencode(var.v18) #@diag("The value is too large")
}

variable "v20" {
  default = jsonencode(var.v19)
}

variable "v21" {
  default = jsonencode(var.v20)
}

variable "v22" {
  default = jsonencode(var.v21)
}

variable "v23" {
  default = jsonencode(var.v22)
}

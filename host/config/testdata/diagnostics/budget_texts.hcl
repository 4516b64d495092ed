toolcrib {}

variable "v00" {
  default = "xxxxxxxxxx"
}

variable "v01" {
  default = "${var.v00}${var.v00}"
}

variable "v02" {
  default = "${var.v01}${var.v01}"
}

variable "v03" {
  default = "${var.v02}${var.v02}"
}

variable "v04" {
  default = "${var.v03}${var.v03}"
}

variable "v05" {
  default = "${var.v04}${var.v04}"
}

variable "v06" {
  default = "${var.v05}${var.v05}"
}

variable "v07" {
  default = "${var.v06}${var.v06}"
}

variable "v08" {
  default = "${var.v07}${var.v07}"
}

variable "v09" {
  default = "${var.v08}${var.v08}"
}

variable "v10" {
  default = "${var.v09}${var.v09}"
}

variable "v11" {
  default = "${var.v10}${var.v10}"
}

variable "v12" {
  default = "${var.v11}${var.v11}"
}

variable "v13" {
  default = "${var.v12}${var.v12}"
}

variable "v14" {
  default = "${var.v13}${var.v13}"
}

variable "v15" {
  default = "${var.v14}${var.v14}"
}

variable "v16" {
  default = "${var.v15}${var.v15}"
}

variable "v17" {
  default = "${var.v16}${var.v16}"
}

variable "v18" {
  default = "${var.v17}${var.v17}" #@diag("The value is too large")
}

variable "v19" {
  default = "${var.v18}${var.v18}"
}

variable "v20" {
  default = "${var.v19}${var.v19}"
}

variable "v21" {
  default = "${var.v20}${var.v20}"
}

variable "v22" {
  default = "${var.v21}${var.v21}"
}

variable "v23" {
  default = "${var.v22}${var.v22}"
}

variable "v24" {
  default = "${var.v23}${var.v23}"
}

package terminal

import (
	"image/color"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
)

// Color is a cell's colour: the terminal's default (the zero value), one of
// 256 palette entries, or 24 bits of RGB.
type Color uint32

const (
	paletteColor Color = 1 << 24
	rgbColor     Color = 2 << 24
)

// Palette is the indexed colour i.
func Palette(i uint8) Color { return paletteColor | Color(i) }

// RGB is a direct colour.
func RGB(r, g, b uint8) Color { return rgbColor | Color(r)<<16 | Color(g)<<8 | Color(b) }

// Index is the palette entry, when the colour is one.
func (c Color) Index() (i uint8, ok bool) { return uint8(c), c&^0xff == paletteColor }

// RGB are the components, when the colour is direct.
func (c Color) RGB() (r, g, b uint8, ok bool) {
	return uint8(c >> 16), uint8(c >> 8), uint8(c), c>>24 == rgbColor>>24
}

// Attr is a set of text attributes.
type Attr uint16

const (
	Bold Attr = 1 << iota
	Faint
	Italic
	Blink
	Reverse
	Conceal
	Strikethrough
	Underline
)

// Cell is one position of the screen. A wide grapheme has Width 2 and is
// followed by a cell of Width 0, which is not drawn. Text is a single grapheme;
// empty is a blank.
type Cell struct {
	Text   string
	Fg, Bg Color
	Attrs  Attr
	Width  uint8
}

var blank = Cell{Text: " ", Width: 1}

// cellOf converts the emulator's cell.
func cellOf(c *uv.Cell) Cell {
	if c == nil {
		return blank
	}
	cell := Cell{
		Text:  c.Content,
		Fg:    colorOf(c.Style.Fg),
		Bg:    colorOf(c.Style.Bg),
		Attrs: attrsOf(&c.Style),
		Width: uint8(min(max(c.Width, 0), 2)),
	}
	return cell
}

func colorOf(c color.Color) Color {
	switch c := c.(type) {
	case nil:
		return 0
	case ansi.BasicColor:
		return Palette(uint8(c))
	case ansi.IndexedColor:
		return Palette(uint8(c))
	}
	r, g, b, _ := c.RGBA()
	return RGB(uint8(r>>8), uint8(g>>8), uint8(b>>8))
}

var attrs = []struct {
	from uint8
	to   Attr
}{
	{uv.AttrBold, Bold},
	{uv.AttrFaint, Faint},
	{uv.AttrItalic, Italic},
	{uv.AttrBlink | uv.AttrRapidBlink, Blink},
	{uv.AttrReverse, Reverse},
	{uv.AttrConceal, Conceal},
	{uv.AttrStrikethrough, Strikethrough},
}

func attrsOf(s *uv.Style) Attr {
	var set Attr
	if s.Underline != uv.UnderlineNone {
		set |= Underline
	}
	if s.Attrs == 0 {
		return set
	}
	for _, a := range attrs {
		if s.Attrs&a.from != 0 {
			set |= a.to
		}
	}
	return set
}

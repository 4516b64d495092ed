package screen

import (
	"fmt"
	"html"
	"image/color"
	"strings"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
)

// The size of a cell in the picture, in pixels: a common monospaced font at 14.
const (
	cellWidth  = 8.43
	cellHeight = 18
	baseline   = 13.5
	margin     = 12
)

var (
	paper = color.RGBA{0x16, 0x18, 0x1d, 0xff}
	ink   = color.RGBA{0xd7, 0xda, 0xe0, 0xff}
)

// SVG draws the screen as a picture. Equal screens give equal pictures.
func (p *Program) SVG() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	cols, rows := p.screen.Width(), p.screen.Height()
	width, height := float64(cols)*cellWidth+2*margin, rows*cellHeight+2*margin
	var out strings.Builder
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %d" font-family="ui-monospace,SFMono-Regular,Menlo,'DejaVu Sans Mono',monospace" font-size="14">`+"\n", width, height)
	fmt.Fprintf(&out, `<rect width="%.0f" height="%d" rx="8" fill="%s"/>`+"\n", width, height, hex(paper))
	for y := range rows {
		p.drawRow(&out, y, cols)
	}
	out.WriteString("</svg>\n")
	return out.String()
}

// drawRow draws runs of cells that look alike: first their paper, then their text.
func (p *Program) drawRow(out *strings.Builder, y, cols int) {
	for x := 0; x < cols; {
		style := p.look(x, y)
		var text strings.Builder
		end := x
		for end < cols && p.look(end, y) == style {
			cell := p.screen.CellAt(end, y)
			if cell == nil || cell.Content == "" {
				text.WriteByte(' ')
				end++
				continue
			}
			text.WriteString(cell.Content)
			end += max(cell.Width, 1)
		}
		drawRun(out, style, text.String(), x, y, end-x)
		x = end
	}
}

func drawRun(out *strings.Builder, style look, text string, x, y, width int) {
	left, top := margin+float64(x)*cellWidth, margin+y*cellHeight
	if style.bg != paper {
		fmt.Fprintf(out, `<rect x="%.2f" y="%d" width="%.2f" height="%d" fill="%s"/>`+"\n", left, top, float64(width)*cellWidth, cellHeight, hex(style.bg))
	}
	if strings.TrimSpace(text) == "" {
		return
	}
	attributes := ""
	if style.bold {
		attributes = ` font-weight="bold"`
	}
	fmt.Fprintf(out, `<text x="%.2f" y="%.1f" fill="%s"%s textLength="%.2f" xml:space="preserve">%s</text>`+"\n",
		left, float64(top)+baseline, hex(style.fg), attributes, float64(width)*cellWidth, html.EscapeString(text))
}

// look is what a cell looks like.
type look struct {
	fg, bg color.RGBA
	bold   bool
}

func (p *Program) look(x, y int) look {
	cell := p.screen.CellAt(x, y)
	if cell == nil {
		return look{fg: ink, bg: paper}
	}
	l := look{fg: rgba(cell.Style.Fg, ink), bg: rgba(cell.Style.Bg, paper), bold: cell.Style.Attrs&uv.AttrBold != 0}
	if cell.Style.Attrs&uv.AttrReverse != 0 {
		l.fg, l.bg = l.bg, l.fg
	}
	if cell.Style.Attrs&uv.AttrFaint != 0 {
		l.fg = mix(l.fg, l.bg)
	}
	return l
}

// palette stands for the 16 colours that a terminal lets its user choose.
var palette = [16]color.RGBA{
	{0x28, 0x2c, 0x34, 0xff}, {0xe0, 0x6c, 0x75, 0xff}, {0x98, 0xc3, 0x79, 0xff}, {0xe5, 0xc0, 0x7b, 0xff},
	{0x61, 0xaf, 0xef, 0xff}, {0xc6, 0x78, 0xdd, 0xff}, {0x56, 0xb6, 0xc2, 0xff}, {0xc8, 0xcc, 0xd4, 0xff},
	{0x7a, 0x81, 0x8e, 0xff}, {0xf0, 0x7c, 0x85, 0xff}, {0xa8, 0xd3, 0x89, 0xff}, {0xf5, 0xd0, 0x8b, 0xff},
	{0x71, 0xbf, 0xff, 0xff}, {0xd6, 0x88, 0xed, 0xff}, {0x66, 0xc6, 0xd2, 0xff}, {0xff, 0xff, 0xff, 0xff},
}

func rgba(c color.Color, otherwise color.RGBA) color.RGBA {
	switch c := c.(type) {
	case nil:
		return otherwise
	case ansi.BasicColor:
		return palette[c%16]
	case ansi.IndexedColor:
		if c < 16 {
			return palette[c]
		}
	}
	return color.RGBAModel.Convert(c).(color.RGBA)
}

func mix(a, b color.RGBA) color.RGBA {
	half := func(x, y uint8) uint8 { return uint8((int(x)*3 + int(y)*2) / 5) }
	return color.RGBA{half(a.R, b.R), half(a.G, b.G), half(a.B, b.B), 0xff}
}

func hex(c color.RGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

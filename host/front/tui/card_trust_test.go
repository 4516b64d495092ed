package tui

import (
	"testing"

	"github.com/gdamore/tcell/v2"

	"github.com/toolcrib/toolcrib/host/trust"
)

func TestTrustCard(t *testing.T) {
	request := func() *trust.Request {
		return &trust.Request{Workspace: "/home/me/work", Set: trust.Set{Providers: []trust.Provider{{Name: "words", Path: "/bin/words", SHA256: "abc"}}}}
	}
	t.Run("one key agrees", func(t *testing.T) {
		shop := newWorkshop()
		shop.trust = request()
		s := play(t, shop)
		s.sees("starts plugin words: /bin/words")
		s.types("t")
		s.loses("trust this workspace?")
		s.sees("the plugins run")
		if shop.TrustRequest() != nil {
			t.Error("the workspace is not trusted")
		}
	})
	t.Run("the key agrees to nothing after something else was typed", func(t *testing.T) {
		shop := newWorkshop()
		shop.trust = request()
		s := play(t, shop)
		s.sees("trust this workspace?")
		s.types("wait")
		s.press(tcell.KeyEnter)
		if shop.TrustRequest() == nil {
			t.Error("the workspace was trusted")
		}
	})
	t.Run("a command may come first", func(t *testing.T) {
		shop := newWorkshop()
		shop.trust = request()
		s := play(t, shop)
		s.sees("trust this workspace?")
		s.submit("/tools")
		s.sees("Read  visible")
		if shop.TrustRequest() == nil {
			t.Error("the workspace was trusted")
		}
		s.sees("trust this workspace?")
	})
	t.Run("it is put off and asked again", func(t *testing.T) {
		shop := newWorkshop()
		shop.trust = request()
		s := play(t, shop)
		s.sees("trust this workspace?")
		s.press(tcell.KeyEscape)
		s.loses("trust this workspace?")
		s.submit("/trust")
		s.sees("trust this workspace?")
	})
	t.Run("another set is another card", func(t *testing.T) {
		shop := newWorkshop()
		shop.trust = request()
		s := play(t, shop)
		s.sees("/bin/words")
		s.press(tcell.KeyRight, tcell.KeyRight)
		shop.mu.Lock()
		shop.trust = &trust.Request{Set: trust.Set{Allow: []string{"Bash"}}}
		shop.mu.Unlock()
		s.press(tcell.KeyEnter)
		s.sees("read the card again")
		s.sees("lets run without asking: Bash")
		if shop.TrustRequest() == nil {
			t.Error("the person agreed to what they had not seen")
		}
	})
}

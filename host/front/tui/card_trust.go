package tui

import (
	"errors"
	"fmt"
	"strings"

	"github.com/toolcrib/toolcrib/host/session"
	"github.com/toolcrib/toolcrib/host/trust"
)

// trustPrefix begins the id of a card that asks for trust. What follows is the
// fingerprint of the set: another set is another card, so that nobody agrees to
// what they have not seen. Ids of requests never begin so.
const trustPrefix = "trust:"

func isTrustCard(c content) bool { return strings.HasPrefix(c.id, trustPrefix) }

// trustContent is the card of what a workspace wants to start and allow.
func trustContent(t theme, r *trust.Request) content {
	var body []line
	for _, text := range r.Describe() {
		body = append(body, textLine(t.plain, text))
	}
	return content{
		id: trustPrefix + r.Set.Fingerprint(), title: "trust this workspace?", body: body, details: body,
		buttons: []button{{"Details", verbDetails}, {"Not now", verbDismiss}, {"Trust (t)", verbTrust}},
		hotkey:  't',
	}
}

// trustCards is the trust card, unless there is nothing to agree to or the
// person put it off.
func (a *app) trustCards() []content {
	request := a.session.TrustRequest()
	if request == nil || a.trusting {
		return nil
	}
	c := trustContent(a.theme, request)
	if c.id == a.postponed {
		return nil
	}
	return []content{c}
}

func (a *app) actTrust(c content, v verb) {
	if v != verbTrust {
		a.postponed = c.id
		a.cards()
		a.say(noticeLines(a.theme, session.Info, "what you have not agreed to is not started; /trust asks again")...)
		return
	}
	request := a.session.TrustRequest()
	if request == nil || trustPrefix+request.Set.Fingerprint() != c.id {
		a.cards()
		a.fail(errors.New("the configuration changed meanwhile: read the card again"))
		return
	}
	a.trusting = true
	a.cards()
	a.say(noticeLines(a.theme, session.Info, "trusted; starting its plugins")...)
	a.background(func() error {
		if err := a.session.Trust(a.ctx, request); err != nil {
			return fmt.Errorf("trust the workspace: %w", err)
		}
		return nil
	}, func() { a.trusting = false })
}

func (a *app) cmdTrust(string) error {
	if a.session.TrustRequest() == nil {
		return errors.New("nothing waits for your trust")
	}
	a.postponed = ""
	a.cards()
	return nil
}

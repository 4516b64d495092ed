package policy

// Reserved tells why only a person may allow a call, whatever answers approvals
// in their name: it is critical, touches a protected path, is or may be what a
// deny rule is about, or can't be analysed. Where an ask rule decides, that
// hides none of these. It is empty when something else may allow the call.
func (e *Engine) Reserved(call Call) string {
	j, risk := e.newJudgement(call, nil)
	denied, denyDoubt := j.restrict(e.deny, Deny)
	for _, reason := range []*Decision{denied, j.refused(), critical(risk), j.protected(), denyDoubt} {
		if reason != nil {
			return reason.Reason
		}
	}
	return ""
}

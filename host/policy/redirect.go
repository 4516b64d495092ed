package policy

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// redirect reads a redirection, and the text of a here document or a here string
// as far as it is known. Descriptors and /dev/null are no files.
func (w *walker) redirect(redirect *syntax.Redirect) (files []Redirect, document string) {
	if redirect.N != nil && strings.HasPrefix(redirect.N.Value, "{") {
		w.script.dynamic("keeps a file open")
	}
	switch redirect.Op {
	case syntax.Hdoc, syntax.DashHdoc:
		return nil, w.document(redirect)
	case syntax.WordHdoc:
		w.inside(redirect.Word)
		return nil, readOne(redirect.Word, w.scope, w.odd).Text
	}
	w.inside(redirect.Word)
	target := readOne(redirect.Word, w.scope, w.odd)
	if (redirect.Op == syntax.DplOut || redirect.Op == syntax.DplIn) && target.Static && isDescriptor(target.Text) {
		return nil, ""
	}
	read := Redirect{Target: target}
	switch redirect.Op {
	case syntax.RdrIn, syntax.DplIn:
		read.Reads = true
	case syntax.RdrInOut:
		read.Reads, read.Writes = true, true
	default:
		read.Writes = true
	}
	if target.Static && target.Text == "/dev/null" && redirect.Op != syntax.RdrInOut {
		return nil, ""
	}
	return []Redirect{read}, ""
}

// document walks a here document and returns its text. Without quotes around its
// end mark, bash expands it; that is followed only where there is nothing to
// expand.
func (w *walker) document(redirect *syntax.Redirect) string {
	if redirect.Hdoc == nil {
		return ""
	}
	if isQuoted(redirect.Word) {
		return redirect.Hdoc.Lit()
	}
	w.inside(redirect.Hdoc)
	var text strings.Builder
	for _, part := range redirect.Hdoc.Parts {
		lit, ok := part.(*syntax.Lit)
		if !ok {
			w.script.dynamic("expands a here document")
			continue
		}
		text.WriteString(doubleQuoted(lit.Value))
	}
	return text.String()
}

// isQuoted tells whether any part of a here document's end mark is quoted.
func isQuoted(word *syntax.Word) bool {
	for _, part := range word.Parts {
		lit, ok := part.(*syntax.Lit)
		if !ok || strings.Contains(lit.Value, `\`) {
			return true
		}
	}
	return false
}

// quotedDocument is the text of $(cat <<'EOF' ...), the usual way to write a long
// argument.
func quotedDocument(subst *syntax.CmdSubst) (text string, ok bool) {
	if len(subst.Stmts) != 1 || subst.Backquotes || subst.TempFile || subst.ReplyVar {
		return "", false
	}
	stmt := subst.Stmts[0]
	call, isCall := stmt.Cmd.(*syntax.CallExpr)
	if !isCall || len(call.Args) != 1 || len(call.Assigns) != 0 || call.Args[0].Lit() != "cat" || len(stmt.Redirs) != 1 ||
		stmt.Negated || stmt.Background || stmt.Coprocess || stmt.Disown {
		return "", false
	}
	document := stmt.Redirs[0]
	if document.Op != syntax.Hdoc || document.N != nil || !isQuoted(document.Word) {
		return "", false
	}
	if document.Hdoc != nil {
		text = document.Hdoc.Lit()
	}
	return strings.TrimRight(text, "\n"), true
}

// isDescriptor tells whether the target of >& is a descriptor: 2, 2- or -.
func isDescriptor(target string) bool {
	return target != "" && strings.Trim(strings.TrimSuffix(target, "-"), "0123456789") == ""
}

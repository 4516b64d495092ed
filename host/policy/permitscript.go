package policy

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/toolcrib/toolcrib/host/pool"
)

// permitScript allows a script whose every part is known and allowed.
func (j *judgement) permitScript(script *Script) *Decision {
	if len(script.Dynamic) > 0 {
		j.obstacle = "it " + script.Dynamic[0]
		j.trace.add(Step{Step: string(ByAnalysis), Why: "no rule for single commands allows it: it " + script.Dynamic[0]})
		return nil
	}
	var first permission
	byRule := make([]bool, len(script.Commands))
	for i := range script.Commands {
		command := &script.Commands[i]
		if command.literal {
			continue
		}
		// Who allows bash -c allows what it runs.
		if command.parent >= 0 && byRule[command.parent] {
			byRule[i] = true
			continue
		}
		permitted, refusal := j.permitCommand(command)
		if refusal != "" {
			j.obstacle = fmt.Sprintf("%s (%s)", refusal, command.shown())
			j.trace.add(Step{Step: string(Allow), Part: command.shown(), Why: refusal})
			return nil
		}
		byRule[i] = permitted.basis == ByRule
		if first.basis == "" || first.basis != ByRule && byRule[i] {
			first = permitted
		}
	}
	if first.basis == "" {
		return nil // nothing but assignments
	}
	return first.decision()
}

// permission is what allows one simple command. The zero value is for a command
// that runs nothing.
type permission struct {
	basis Basis
	rule  *Rule // or trusted command; nil for ByReadOnly
}

func (p permission) decision() *Decision {
	decision := &Decision{Outcome: Allow, Basis: p.basis}
	switch p.basis {
	case ByRule:
		decision.Reason, decision.Rule = "allowed by the rule "+p.rule.String(), p.rule
	case ByTrusted:
		decision.Reason = "allowed as " + TrustedCommand{Text: p.rule.Text, Source: p.rule.Source}.String()
	case ByReadOnly:
		decision.Reason = "it only reads, in the workspace"
	}
	return decision
}

// permitCommand allows one simple command, or says why not.
func (j *judgement) permitCommand(command *Command) (permitted permission, refusal string) {
	for _, redirect := range command.Redirects {
		if refusal := j.permitRedirect(redirect, command); refusal != "" {
			return permission{}, refusal
		}
	}
	if len(command.Words) == 0 {
		for _, assign := range command.Assigns {
			if changesPrograms(assign.Name) {
				return permission{}, fmt.Sprintf("setting %s may change what runs", assign.Name)
			}
			if !assign.Value.Static && !assign.loop {
				return permission{}, fmt.Sprintf("the value of %s is only known when it runs", assign.Name)
			}
		}
		if j.engine.readOnly {
			return permission{basis: ByReadOnly}, ""
		}
		return permission{}, ""
	}
	refusal = "no rule allows it"
	for _, set := range []*ruleSet{j.engine.allow, j.engine.trusted} {
		for _, i := range set.about(command) {
			rule := &set.rules[i]
			form, matched := rule.command.covers(command)
			if !matched {
				continue
			}
			why := j.mayRun(command, rule, form, set == j.engine.trusted)
			if j.trace != nil {
				j.trace.rule(rule, command.shown(), why == "", why)
			}
			if why != "" {
				refusal = why
				continue
			}
			if set == j.engine.trusted {
				return permission{ByTrusted, rule}, ""
			}
			return permission{ByRule, rule}, ""
		}
	}
	if !j.engine.readOnly {
		return permission{}, refusal
	}
	why := j.readsOnly(command)
	if why != "" {
		return permission{}, refusal + "; it is not a read-only command: " + why
	}
	if j.trace != nil {
		j.trace.add(Step{Step: string(ByReadOnly), Part: command.shown(), Matched: true, Outcome: Allow, Why: "it only reads, in the workspace"})
	}
	return permission{basis: ByReadOnly}, ""
}

// permitRedirect allows a redirection by the rules about files, or says why not.
func (j *judgement) permitRedirect(redirect Redirect, command *Command) string {
	target := redirect.Target
	switch {
	case !target.Static:
		return "the file of a redirection is only known when it runs"
	case redirect.Reads && redirect.Writes:
		return "a file is opened for reading and writing"
	case redirect.Writes && (target.home || command.moved):
		return "a file is written in another folder"
	case command.dirs == nil:
		return "the folder it runs in is only known then"
	}
	if strings.HasPrefix(target.Text, "/dev/tcp/") || strings.HasPrefix(target.Text, "/dev/udp/") {
		return "a connection is opened"
	}
	for _, dir := range command.dirs {
		file := j.places.at(target.Text, target.home, dir)
		if file == nil {
			return "the file of a redirection is not known"
		}
		if redirect.Writes && j.allowsPath(file, pool.AccessWrite, false) == nil {
			return fmt.Sprintf("no rule for Edit allows writing %s", target.Text)
		}
		if redirect.Reads && !j.places.inside(file) && j.allowsPath(file, pool.AccessRead, false) == nil {
			return fmt.Sprintf("%s is outside the workspace, and no rule for Read allows it", target.Text)
		}
	}
	return ""
}

// mayRun tells what speaks against a command that a rule covers; empty for
// nothing. What the rule spells out is not held against it.
func (j *judgement) mayRun(command *Command, rule *Rule, form *form, trusted bool) string {
	stage := &rule.command.stages[0]
	if why := environment(command, stage.assigns); why != "" {
		return why
	}
	if j.elsewhere(command, form) {
		return "it runs in another folder than the rule speaks of"
	}
	if !stage.prefix && stage.literals == stage.words {
		return ""
	}
	for _, word := range form.words {
		if word.kind == unknown {
			return "it has words that are only known when it runs"
		}
	}
	if why := escape(form.words, stage.spelled); why != "" {
		return why
	}
	for _, use := range form.uses() {
		if slices.Contains(stage.spelled, use.word.Text) || use.access == "" || trusted && use.access == pool.AccessRead {
			continue
		}
		if why := j.mayUse(use, command.dirs); why != "" {
			return why
		}
	}
	return ""
}

// mayUse tells what speaks against a file that a command is given: it is outside
// the workspace, or it is not known which one it is.
func (j *judgement) mayUse(use fileUse, dirs []string) string {
	word := use.word
	switch {
	case noFile(word), word.kind == number:
		return ""
	case word.kind == input:
		return "its files are what its input says"
	case word.kind == glob && use.access == pool.AccessWrite:
		return "it writes the files that a pattern matches"
	case climbs(word.Text):
		return "where .. leads depends on links: " + word.Text
	case dirs == nil:
		return "the folder it runs in is only known then"
	}
	for _, dir := range dirs {
		file := j.places.at(word.Text, word.home, dir)
		if file == nil {
			return "it is not known which file " + word.Text + " is"
		}
		files := []*ends{file}
		if word.kind == glob {
			matches, all := expandGlob(file.path)
			if !all {
				return "it has too many files to look at: " + word.Text
			}
			for _, match := range matches {
				files = append(files, j.places.of(match))
			}
		}
		for _, file := range files {
			if !j.places.inside(file) && j.allowsPath(file, use.access, false) == nil {
				return fmt.Sprintf("%s is outside the workspace, and no rule for files allows it", word.Text)
			}
		}
	}
	return ""
}

// climbs tells whether a path goes up again after it went down.
func climbs(text string) bool {
	down := false
	for _, part := range strings.Split(text, "/") {
		if part == ".." && down {
			return true
		}
		down = down || part != ".." && part != "." && part != ""
	}
	return down && strings.HasSuffix(text, "/..")
}

// elsewhere tells whether a command that runs in another folder may be another
// one there, or does there what nobody looked at.
func (j *judgement) elsewhere(command *Command, form *form) bool {
	if !command.moved && j.places.start == j.call.Workspace {
		return false
	}
	name := form.words[0].Text
	if strings.Contains(name, "/") && !filepath.IsAbs(name) || name == "git" || name == "cd" || name == "pushd" {
		return true
	}
	return slices.ContainsFunc(form.uses(), func(use fileUse) bool { return use.access == pool.AccessWrite })
}

// readsOnly tells what speaks against a command as a read-only one in the
// workspace; empty for nothing.
func (j *judgement) readsOnly(command *Command) string {
	if why := environment(command, 0); why != "" {
		return why
	}
	for i := range command.forms {
		form := &command.forms[i]
		if !form.transparent || !readOnly(form.words) {
			continue
		}
		if j.elsewhere(command, form) {
			return "it runs in another folder"
		}
		for _, use := range form.uses() {
			use.access = pool.AccessRead
			if why := j.mayUse(use, command.dirs); why != "" {
				return why
			}
		}
		return ""
	}
	return "that is not proven"
}

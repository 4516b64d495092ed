package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/adrg/xdg"
	"github.com/spf13/cobra"

	"github.com/toolcrib/toolcrib/host"
	"github.com/toolcrib/toolcrib/host/plaintext"
	"github.com/toolcrib/toolcrib/host/policy"
)

// maxBatchLine is the longest line of a batch, in bytes.
const maxBatchLine = 4 << 20

func newPolicyCheck(global *globalFlags) *cobra.Command {
	var check policyCheck
	var batch string
	cmd := &cobra.Command{
		Use:   "check TOOL JSON",
		Short: "Print what policy would decide for a call, and why",
		Long: `Print what policy would decide for a call: allow, ask or deny, with every rule
that was looked at. Nothing is started and nothing is called, so of a plugin's
tools only the names are known; hooks and what a provider plans are left out.

With --rules-only the answer may also be none: no rule, protected path or
critical command decides, and the approval mode would.`,
		Example: `  toolcrib policy check Bash '{"command":"git push --force"}'
  toolcrib policy check --mode trust Edit '{"path":".git/config"}'
  toolcrib policy check --batch calls.jsonl    one {"tool":...,"input":...,"mode":...} a line; - is stdin`,
		Args: usageArgs(func(cmd *cobra.Command, args []string) error {
			if batch != "" {
				return cobra.NoArgs(cmd, args)
			}
			return cobra.ExactArgs(2)(cmd, args)
		}),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := check.load(cmd, global); err != nil {
				return err
			}
			if batch != "" {
				return check.batch(cmd, batch)
			}
			return check.one(cmd, policyQuestion{Tool: args[0], Input: json.RawMessage(args[1])})
		},
	}
	jsonFlag(cmd, &check.json)
	cmd.Flags().BoolVar(&check.rulesOnly, "rules-only", false, "leave out the approval mode; the answer may be none")
	cmd.Flags().StringVar(&batch, "batch", "", "judge the calls in `FILE`, one JSON object a line, and print one a line")
	return cmd
}

// policyCheck judges calls by the policy of a workspace.
type policyCheck struct {
	json, rulesOnly bool
	workspace       string
	engine          *policy.Engine
}

// policyQuestion is one call to judge, as a batch has it.
type policyQuestion struct {
	Tool  string          `json:"tool"`
	Input json.RawMessage `json:"input"`
	Mode  string          `json:"mode"`
}

// policyAnswer is the document that docs/cli.md promises.
type policyAnswer struct {
	Decision   policy.Outcome `json:"decision"`
	Reason     string         `json:"reason"`
	Basis      policy.Basis   `json:"basis,omitempty"`
	Rule       *policy.Rule   `json:"rule,omitempty"`
	Risk       policy.Risk    `json:"risk"`
	RiskReason string         `json:"risk_reason"`
	Trace      []policy.Step  `json:"trace"`
}

// load reads the policy that holds here. What is wrong with it is told, and does
// not keep the rest from being judged by; but nothing can be said where nothing
// could be read.
func (c *policyCheck) load(cmd *cobra.Command, global *globalFlags) error {
	options, err := global.options()
	if err != nil {
		return err
	}
	mode := policy.Mode("") // as configured
	if global.mode != "" {
		if mode, err = policy.ParseMode(global.mode); err != nil {
			return &usageError{err: err, command: cmd.CommandPath()}
		}
	}
	effective, request, diagnostics := host.EffectivePolicy(options)
	if diagnostics.HasErrors() && len(effective.Policy.Rules) == 0 {
		return &host.ConfigError{Diagnostics: diagnostics}
	}
	stderr := cmd.ErrOrStderr()
	diagnostics.Render(stderr, colorful(stderr))
	if diagnostics.HasErrors() {
		fmt.Fprintln(stderr, "toolcrib: a session would not open with this configuration; this is what its other rules say")
	}
	if request != nil {
		fmt.Fprintln(stderr, "toolcrib: this workspace is not trusted, so what its config.hcl allows is left out")
		fmt.Fprintln(stderr, "hint: see it and agree with `toolcrib trust`")
	}
	c.workspace, c.engine = effective.Workspace, effective.Policy.Engine(mode)
	return nil
}

// ask judges one call.
func (c *policyCheck) ask(question policyQuestion) (*policyAnswer, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(question.Input, &fields); err != nil {
		return nil, fmt.Errorf("the input of %s is not a JSON object: %w", question.Tool, err)
	}
	if question.Tool == "" {
		return nil, errors.New("the tool's name is missing")
	}
	engine := c.engine
	if question.Mode != "" {
		mode, err := policy.ParseMode(question.Mode)
		if err != nil {
			return nil, err
		}
		engine = engine.WithMode(mode)
	}
	decision, trace := engine.Explain(policy.Call{
		Tool:      question.Tool,
		Input:     question.Input,
		Subjects:  policy.KnownSubjects(question.Tool, question.Input),
		Workspace: c.workspace,
		Home:      xdg.Home,
	}, c.rulesOnly)
	return &policyAnswer{
		Decision: decision.Outcome, Reason: decision.Reason, Basis: decision.Basis, Rule: decision.Rule,
		Risk: decision.Risk, RiskReason: decision.RiskReason, Trace: trace,
	}, nil
}

func (c *policyCheck) one(cmd *cobra.Command, question policyQuestion) error {
	answer, err := c.ask(question)
	if err != nil {
		return &usageError{err: err, command: cmd.CommandPath()}
	}
	if c.json {
		return printJSON(cmd.OutOrStdout(), answer)
	}
	return printAnswer(cmd.OutOrStdout(), answer)
}

// batch judges the calls of a file and prints one document a line.
func (c *policyCheck) batch(cmd *cobra.Command, name string) error {
	input := cmd.InOrStdin()
	if name != "-" {
		file, err := os.Open(name)
		if err != nil {
			return &usageError{err: err, command: cmd.CommandPath()}
		}
		defer file.Close()
		input = file
	}
	out := bufio.NewWriter(cmd.OutOrStdout())
	defer out.Flush()
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	lines := bufio.NewScanner(input)
	lines.Buffer(nil, maxBatchLine)
	for number := 1; lines.Scan(); number++ {
		if len(lines.Bytes()) == 0 {
			continue
		}
		var question policyQuestion
		err := json.Unmarshal(lines.Bytes(), &question)
		var answer *policyAnswer
		if err == nil {
			answer, err = c.ask(question)
		}
		if err != nil {
			return &usageError{err: fmt.Errorf("line %d of the batch: %w", number, err), command: cmd.CommandPath()}
		}
		if err := encoder.Encode(answer); err != nil {
			return err
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("read the batch: %w", err)
	}
	return nil
}

// printAnswer writes the decision, then the steps that led to it.
func printAnswer(w io.Writer, answer *policyAnswer) error {
	fmt.Fprintf(w, "%s: %s\n", answer.Decision, plaintext.Line(answer.Reason))
	if answer.Risk != "" {
		fmt.Fprintf(w, "risk %s: it %s\n", answer.Risk, plaintext.Line(answer.RiskReason))
	}
	fmt.Fprintln(w)
	rows := make([][]string, len(answer.Trace))
	for i, step := range answer.Trace {
		what, matched := step.Rule, "no"
		if step.Matched {
			matched = "yes"
		}
		if step.Rule == "" {
			matched = ""
		}
		rows[i] = []string{step.Step, plaintext.Line(what), step.Source, matched, plaintext.Line(step.Part), plaintext.Line(step.Why)}
	}
	return printTable(w, []string{"STEP", "RULE", "WHERE", "APPLIES", "PART", "WHY"}, rows)
}

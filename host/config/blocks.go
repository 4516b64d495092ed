package config

import "github.com/toolcrib/toolcrib/host/policy"

func toolcribSpec() Block {
	return Block{
		Type:    "toolcrib",
		Doc:     "Tells a workspace's `config.hcl` from another program's. It may be empty. A file in `.toolcrib/` needs none.",
		Example: "toolcrib {\n  required_version = \">= 0.1.0\"\n}",
		Attributes: []Attribute{{
			Name: "required_version", Type: TypeString, Example: `">= 0.1.0"`,
			Doc: "The versions of Toolcrib that can read this file. It is read before all else, so that an old Toolcrib says that it is too old. It is a plain string without variables.",
		}},
	}
}

func variableSpec() Block {
	return Block{
		Type: "variable", Label: "name", checkName: identifierFault,
		Doc: "A value that is given from outside and written as `var.<name>`. Its value is that of `--var <name>=<value>`, else of the environment variable `TOOLCRIB_VAR_<name>`, else its default. " +
			"A value from outside is text; where the default is no string, it is read as an HCL value and must have the default's type.",
		Workspace: "The files of a workspace see their own variables and not the person's, and cannot declare one that the person's file declares.",
		Example:   "variable \"lang\" {\n  description = \"Language of the notes\"\n  default     = env(\"LANG\")\n}",
		Attributes: []Attribute{
			{Name: "default", Type: TypeAny, Example: `env("LANG")`, Sensitive: true,
				Doc:       "The value when none is given. It may use functions, other variables, and `env(\"NAME\")`, which is the value of an environment variable, or an empty string when it is not set.",
				Workspace: "`env` gives only the variables that every provider gets and those that `environment.allow` of the person names."},
			{Name: "description", Type: TypeString, Example: `"Language of the notes"`, Doc: "What it is for. It is told to a person who has not set it."},
			{Name: "sensitive", Type: TypeBool, Default: false, Example: `true`,
				Doc: "Never show the value, nor what is made of it. A sensitive value may stand in `env` and `config` of plugins, and nowhere else."},
		},
	}
}

func pluginSpec() Block {
	return Block{
		Type: "plugin", Label: "name", Config: true, grants: true, checkName: nameFault,
		Doc: "A program that offers tools. Its tools are called `<name>__<tool>`. A bundled plugin needs no block: one only changes its settings. " +
			"The `config` block inside is the plugin's own: it is checked against the schema that the plugin reports.",
		Workspace: "A plugin that a workspace declares or changes is not started before the person has agreed to it.",
		Example:   "plugin \"words\" {\n  command = [\"./bin/words\"]\n\n  config {\n    limits {\n      max_bytes = 1000000\n    }\n  }\n}",
		Attributes: []Attribute{
			{Name: "command", Type: TypeStrings, Example: `["./bin/words"]`, check: checkPluginCommand,
				Doc: "The program and its arguments. A relative path with a slash is relative to the file's folder, or to the workspace in a workspace's file; a name without a slash is looked up in PATH. Bundled plugins have none, all others must."},
			{Name: "env", Type: TypeObject, Merge: ByKey, Example: `{ WORDS_LANG = "en" }`, check: checkEnv, Sensitive: true,
				Doc: "Environment variables that it gets, besides the few that every provider gets."},
			{Name: "pass_env", Type: TypeStrings, Merge: AddsUp, Example: `["GITHUB_TOKEN"]`, check: checkPassEnv,
				Doc:       "Names of environment variables of yours that it gets as well, if `environment.allow` of your own file allows them.",
				Workspace: "It may ask; only the person's own file allows."},
			{Name: "load", Type: TypeString, Values: []string{"always", "deferred"}, Example: `"deferred"`,
				Doc: "Whether the model sees its tools from the start (`always`), or finds them by ToolSearch (`deferred`). Without it each tool says so itself."},
			{Name: "tools", Type: TypeObject, Values: []string{"always", "deferred", "off"}, Merge: ByKey, check: checkToolNames,
				Example:   `{ search = "always", "delete_*" = "off" }`,
				Doc:       "The same for tools by name, without the plugin's name in front, or by a pattern with `*`. `off` takes a tool out altogether. Of several entries that fit a tool, its name counts before patterns, and a longer pattern before a shorter one.",
				Workspace: "A tool that the person turned off stays off."},
		},
	}
}

func hookSpec() Block {
	return Block{
		Type: "hook", Label: "name", unshared: true, grants: true, checkName: hookNameFault,
		Doc:       "A program that is asked about calls, or told of them. It reads one JSON object from standard input and may answer with one on standard output.",
		Workspace: "A workspace may add hooks, which run once the person has agreed to them. It cannot change a hook of the person's.",
		Example:   "hook \"guard\" {\n  event   = \"pre_tool_use\"\n  matcher = \"Bash\"\n  command = [\"./guard.sh\"]\n  timeout = \"5s\"\n}",
		Attributes: []Attribute{
			{Name: "event", Type: TypeString, Values: HookEvents(), Required: true, Example: `"pre_tool_use"`, Doc: "When it runs."},
			{Name: "matcher", Type: TypeString, Example: `"Edit|Write"`, check: checkMatcher,
				Doc: "The tools it runs for: a name, several as `Edit|Write`, or a regular expression (RE2) that fits the whole name, as in `mcp__.*`. One that begins with `^` or ends with `$` fits as far as it says. Empty or `*` is every tool. Events that are about no tool take none into account."},
			{Name: "command", Type: TypeStrings, Required: true, Example: `["./guard.sh"]`, check: checkHookCommand,
				Doc: "The program and its arguments, as that of a plugin."},
			{Name: "timeout", Type: TypeDuration, Example: `"5s"`, check: checkTimeout, Doc: "How long it may take, as in `500ms`, `5s` or `2m`: at most `10m`. A hook that takes longer is ended and has failed."},
			{Name: "on_error", Type: TypeString, Values: []string{"block", "warn"}, Default: "block", Example: `"warn"`,
				Doc: "What becomes of a call when the hook fails: `block` denies it, `warn` lets it go on with a warning."},
		},
	}
}

func policySpec() Block {
	return Block{
		Type:      "policy",
		Doc:       "What may run, and what a person is asked about. Deny beats ask beats allow, whichever file says it.",
		Workspace: "Its `deny` and `ask` rules count at once, what it allows counts once the person has agreed to it.",
		Example:   "policy {\n  approval_mode = \"auto\"\n  deny          = [\"Bash(git push --force *)\"]\n  ask           = [\"Bash(git push *)\"]\n  allow         = [\"Bash(make test)\"]\n}",
		Attributes: []Attribute{
			{Name: "approval_mode", Type: TypeString, Values: modeNames(), Default: string(policy.Auto), Example: `"auto"`,
				kept: "The approval mode is not widened", wider: widerMode, check: checkMode,
				Doc:       "`recommend`: every call asks. `auto`: shell commands, and tools that say they are destructive, ask. `trust`: nothing asks but deny and ask rules, hooks, and what is always critical.",
				Workspace: "It may choose a more careful one than the person's, and never `trust`."},
			{Name: "trusted_commands", Type: TypeStrings, Merge: AddsUp, grants: true, Example: `["git status", "ls"]`, check: checkTrusted,
				Doc: "Commands that run without asking, by their first words, with any further arguments."},
			{Name: "read_only_commands", Type: TypeString, Values: []string{askReadOnly, allowReadOnly}, Default: askReadOnly, Example: `"allow"`,
				kept: "Read-only commands still ask", wider: func(earlier, now any) bool { return earlier == askReadOnly && now == allowReadOnly },
				Doc:       "`allow` lets shell commands run unasked that are proven to read only, and only in the workspace.",
				Workspace: "It cannot allow what the person's file says must ask."},
			{Name: "trusted_providers", Type: TypeStrings, Merge: AddsUp, grants: true, Example: `["words"]`,
				Doc: "Plugins that are believed when they say that a tool only reads."},
			{Name: "deny", Type: TypeRules, Merge: AddsUp, Example: `["Bash(git push --force *)"]`, check: checkRules,
				Doc: "Rules for calls that never run. A rule is a string, or `{ rule = \"...\", match = [...], not_match = [...] }` with examples that are checked. [policy.md](policy.md) has the grammar."},
			{Name: "ask", Type: TypeRules, Merge: AddsUp, Example: `["Bash(git push *)"]`, check: checkRules, Doc: "Rules for calls that a person is asked about, whatever the mode."},
			{Name: "allow", Type: TypeRules, Merge: AddsUp, grants: true, Example: `["Bash(make test)"]`, check: checkRules, Doc: "Rules for calls that run without asking."},
		},
	}
}

func poolSpec() Block {
	return Block{
		Type:      "pool",
		Doc:       "What the model sees of the tools.",
		Workspace: "It may make the list shorter and turn learning off.",
		Example:   "pool {\n  visible_tokens = 8000\n  learn          = false\n}",
		Attributes: []Attribute{
			{Name: "visible_tokens", Type: TypeNumber, Example: `8000`, check: checkTokens,
				kept: "The model's list is not made longer", wider: func(earlier, now any) bool { return earlier != nil && now.(int) > earlier.(int) },
				Doc:       "How long the list of tools may be that the model sees from the start, in tokens as Toolcrib estimates them, at least 1. Tools beyond it are found by ToolSearch. Without it the list has no bound.",
				Workspace: "It cannot be above the person's."},
			{Name: "learn", Type: TypeBool, Default: true, Example: `false`,
				kept: "Learning stays off", wider: func(earlier, now any) bool { return earlier == false && now == true },
				Doc:       "Whether ToolSearch remembers which searches led to a call of which tool.",
				Workspace: "It cannot be turned back on."},
		},
	}
}

func environmentSpec() Block {
	return Block{
		Type: "environment", personal: true,
		Doc:       "Which environment variables of yours plugins may be given.",
		Workspace: "Only your own file, or a flag, may have it.",
		Example:   "environment {\n  allow = [\"GITHUB_TOKEN\", \"JIRA_*\"]\n}",
		Attributes: []Attribute{{Name: "allow", Type: TypeStrings, Merge: AddsUp, Example: `["GITHUB_TOKEN", "JIRA_*"]`, check: checkPassEnv,
			Doc: "Names, or patterns with `*`, of the environment variables that a plugin gets when its `pass_env` asks for them, and that a workspace's variables may read with `env`."}},
	}
}

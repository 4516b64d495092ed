#!/usr/bin/env node
'use strict';

// A complete toolcrib plugin in Node.js. What it does not share with another plugin
// is in this file; toolcrib.js is the same for all.

const fs = require('node:fs/promises');
const path = require('node:path');
const { setTimeout: sleep } = require('node:timers/promises');
const { serve, ConfigError } = require('./toolcrib');

const object = (properties, required = []) => ({ type: 'object', properties, required, additionalProperties: false });

function greet(greeting) {
  return {
    name: 'greet',
    description: 'Greet somebody by name. Without a name, the person is asked for one.',
    inputSchema: object({ name: { type: 'string', description: 'whom to greet' } }),
    outputSchema: object({ greeting: { type: 'string' } }, ['greeting']),
    annotations: { read_only: true },
    async call({ name }, call) {
      if (name === undefined) {
        const answer = await call.ask({ text: 'Whom shall I greet?', allow_free_text: true });
        if (answer.cancelled) throw new Error('nobody said whom to greet; call greet with a name');
        name = answer.text;
      }
      return { structured: { greeting: `${greeting}, ${name}!` } };
    },
  };
}

function writeGreeting(greeting, workspace) {
  const locate = (file) => path.resolve(workspace, file);
  const lines = (input) => `${greeting}, ${input.name}!\n`;
  return {
    name: 'write_greeting',
    description: 'Write a greeting into a new file.',
    inputSchema: object({
      path: { type: 'string', description: 'the new file, relative to the workspace' },
      name: { type: 'string', description: 'whom to greet' },
    }, ['path', 'name']),
    annotations: { destructive: false },
    subjects: [{ field: 'path', kind: 'path', access: 'write' }],
    async plan(input) {
      const exists = await fs.access(locate(input.path)).then(() => true, () => false);
      return {
        errors: exists ? [{ path: '/path', message: `${input.path} exists; name a file that does not` }] : [],
        subjects: [{ kind: 'path', value: locate(input.path), access: 'write' }],
        risk: { level: 'LOW', reason: 'it creates a file and changes none' },
        preview: { kind: 'text', text: lines(input), path: input.path },
      };
    },
    async call(input) {
      const file = locate(input.path);
      await fs.writeFile(file, lines(input), { flag: 'wx' }); // fails if it exists
      return { text: `wrote ${input.path}`, files: [{ path: file, kind: 'created' }] };
    },
  };
}

const countDown = {
  name: 'count_down',
  description: 'Count down to a greeting, ten numbers a second, by the progress of the call.',
  inputSchema: object({ from: { type: 'integer', minimum: 1, maximum: 10_000 } }, ['from']),
  annotations: { read_only: true, idempotent: true },
  async call({ from }, call) {
    for (let n = from; n > 0; n--) {
      call.progress(`${n}`, (from - n) / from);
      call.output(`${n}\n`);
      try {
        await sleep(100, undefined, { signal: call.signal });
      } catch {
        return { text: `stopped at ${n}: ${call.signal.reason.message}` };
      }
    }
    return { text: 'hello' };
  },
};

const helloInShell = {
  name: 'hello_in_shell',
  description: "Say hello in the person's own shell.",
  inputSchema: object({}),
  annotations: { read_only: false },
  async plan() {
    return { subjects: [{ kind: 'command', value: 'echo hello' }], preview: { kind: 'command', text: 'echo hello' } };
  },
  async call(_, call) {
    if (!call.canHandoff) throw new Error('there is no shell of a person here; call greet instead');
    const result = await call.handoff({ command: 'echo hello' });
    return { text: `${result.status}: ${result.output || result.reason}` };
  },
};

serve({
  name: 'hello',
  version: '0.1.0',
  configSchema: object({ greeting: { type: 'string', description: 'how to greet; Hello by default' } }),
  configure({ config, workspace }) {
    const greeting = config.greeting ?? 'Hello';
    if (!/^\p{L}+$/u.test(greeting)) {
      throw new ConfigError(['greeting'], 'the greeting must be one word', 'Write it as "Hello" or "Moin".');
    }
    return [greet(greeting), writeGreeting(greeting, workspace), countDown, helloInShell];
  },
  hooks: {
    pre_tool_use({ tool_name: tool, tool_input: input }) {
      if (JSON.stringify(input ?? {}).includes('goodbye')) {
        return { decision: 'ask', reason: `${tool} is about to say goodbye` };
      }
    },
  },
  async observe(files) {
    const rude = [];
    for (const { path: file, kind } of files) {
      if (kind !== 'deleted' && (await fs.readFile(file, 'utf8').catch(() => '')).includes('goodbye')) rude.push(file);
    }
    return rude.length > 0 ? { state: 'issues', text: `somebody says goodbye in ${rude.join(', ')}` } : { state: 'clean' };
  },
});

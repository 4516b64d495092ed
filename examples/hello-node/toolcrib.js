'use strict';

// What a toolcrib plugin in Node.js needs besides its tools: the handshake, the
// requests of plugin.proto, and an end that leaves nothing behind.

const net = require('node:net');
const path = require('node:path');
const grpc = require('@grpc/grpc-js');
const protoLoader = require('@grpc/proto-loader');
const { newCertificate } = require('./certificate');

const cookie = { name: 'TOOLCRIB_PLUGIN', value: 'toolcrib.plugin.v1' };
const protocolVersion = 1;
const maxMessageBytes = 16 << 20;
const defaultGraceMs = 5000;
const shutdownMs = 1000;

// serve offers a provider to the host that started this process:
//
//   name, version
//   configSchema   JSON Schema of the config block; none: it takes no configuration
//   configure      ({config, workspace, scratchDir}) => [tools]; may throw ConfigError
//   observe        (files) => {state, text}; none: it is not asked
//   hooks          by the name of an event: (event) => answer or nothing; none: it is not asked
//
// A tool has name, description, inputSchema, outputSchema, annotations, subjects,
// call(input, call) and, if it can say what a call would do, plan(input).
function serve(provider) {
  if (process.env[cookie.name] !== cookie.value) {
    process.stderr.write(`${provider.name}: this program is a toolcrib plugin, which toolcrib starts by itself\n` +
      `hint: declare it in config.hcl:\n\n  plugin "${provider.name}" {\n    command = ["${process.argv[1]}"]\n  }\n`);
    process.exit(1);
  }
  console.log = console.error; // standard output belongs to the handshake
  watchHost();

  const server = new grpc.Server({
    'grpc.max_receive_message_length': maxMessageBytes,
    'grpc.max_send_message_length': maxMessageBytes,
  });
  server.addService(loadService(), new Service(provider, server).handlers());

  // AutoMTLS: each side trusts exactly the certificate that the other made up for
  // this connection. Ours goes back in the handshake line.
  const certificate = newCertificate();
  const credentials = grpc.ServerCredentials.createSsl(
    Buffer.from(process.env.PLUGIN_CLIENT_CERT),
    [{ private_key: certificate.key, cert_chain: certificate.cert }],
    true,
  );
  const socket = path.join(process.env.PLUGIN_UNIX_SOCKET_DIR, 'socket');
  server.bindAsync(`unix://${socket}`, credentials, (err) => {
    if (err) throw err;
    const cert = certificate.der.toString('base64').replace(/=+$/, '');
    process.stdout.write(`1|${protocolVersion}|unix|${socket}|grpc|${cert}\n`);
  });
}

function loadService() {
  const definition = protoLoader.loadSync(path.join(__dirname, 'plugin.proto'), {
    keepCase: true, enums: String, longs: Number, defaults: true, oneofs: true,
  });
  return grpc.loadPackageDefinition(definition).toolcrib.plugin.v1.Provider.service;
}

// watchHost ends this process when the host is gone: then the pipe whose other end
// only the host holds reads end-of-file.
function watchHost() {
  const fd = Number(process.env.TOOLCRIB_LIFELINE);
  if (!(fd > 2)) return;
  const lifeline = new net.Socket({ fd, readable: true, writable: false });
  lifeline.on('close', () => process.exit(0));
  lifeline.on('error', () => process.exit(0));
  lifeline.resume();
}

// ConfigError is a fault of one attribute of the config block.
class ConfigError extends Error {
  constructor(path, summary, detail = '') {
    super(summary);
    this.path = path;
    this.detail = detail;
  }
}

// Service answers the host.
class Service {
  constructor(provider, server) {
    this.provider = provider;
    this.server = server;
    this.tools = new Map();
    this.calls = new Set(); // promises of the running ones
    this.watchers = new Set();
    this.revision = 1;
  }

  handlers() {
    return {
      Describe: this.unary(() => this.describe()),
      Configure: this.unary((request) => this.configure(request)),
      Watch: (stream) => this.watch(stream),
      Plan: this.unary((request) => this.plan(request)),
      Call: (stream) => this.call(stream),
      Observe: this.unary((request) => this.observe(request)),
      Hook: this.unary((request) => this.hook(request)),
      Stop: this.unary((request) => this.stop(request)),
    };
  }

  unary(answer) {
    return async ({ request }, callback) => {
      try {
        callback(null, await answer(request));
      } catch (err) {
        callback({ code: err.code ?? grpc.status.INTERNAL, details: err.message });
      }
    };
  }

  describe() {
    const { name, version, configSchema, observe, hooks = {} } = this.provider;
    return {
      name, version,
      features: observe ? ['observe'] : [],
      config_schema: json(configSchema),
      hook_events: Object.keys(hooks),
    };
  }

  configure(request) {
    try {
      const tools = this.provider.configure({
        config: JSON.parse(request.config.toString() || '{}'),
        workspace: request.workspace,
        scratchDir: request.scratch_dir,
      });
      this.tools = new Map(tools.map((tool) => [tool.name, tool]));
      return {};
    } catch (err) {
      return {
        diagnostics: [{ severity: 'ERROR', path: err.path ?? [], summary: err.message, detail: err.detail ?? '' }],
      };
    }
  }

  // watch sends the full set. This provider's tools never change after that.
  watch(stream) {
    this.watchers.add(stream);
    stream.on('cancelled', () => this.watchers.delete(stream));
    stream.write({ tools: { revision: this.revision, tools: [...this.tools.values()].map(describeTool) } });
  }

  async plan(request) {
    const tool = this.tools.get(request.tool);
    if (!tool?.plan) {
      throw Object.assign(new Error(`tool "${request.tool}" does not plan`), { code: grpc.status.UNIMPLEMENTED });
    }
    try {
      return await tool.plan(JSON.parse(request.input.toString()));
    } catch (err) {
      return { errors: [{ message: err.message }] };
    }
  }

  call(stream) {
    const call = new Call(stream);
    const done = call.run(this.tools).finally(() => this.calls.delete(done));
    this.calls.add(done);
  }

  async observe(request) {
    if (!this.provider.observe) {
      throw Object.assign(new Error('the provider does not observe'), { code: grpc.status.UNIMPLEMENTED });
    }
    const { state, text } = await this.provider.observe(request.files);
    return { state, content: text ? [{ text }] : [] };
  }

  async hook(request) {
    const hook = this.provider.hooks?.[request.event];
    if (!hook) {
      throw Object.assign(new Error(`the provider has no hook for ${request.event}`), { code: grpc.status.UNIMPLEMENTED });
    }
    return { answer: json(await hook(JSON.parse(request.payload.toString()))) };
  }

  // stop waits for the calls within the grace and lets the host close the
  // connection, so that nothing that is on its way to it gets lost.
  async stop(request) {
    const grace = request.grace ? milliseconds(request.grace) : defaultGraceMs;
    await Promise.race([Promise.allSettled([...this.calls]), sleep(grace)]);
    for (const stream of this.watchers) stream.end();
    this.server.tryShutdown(() => process.exit(0));
    setTimeout(() => process.exit(0), shutdownMs);
    return {};
  }
}

// Call is one running call, and the way back to the host while it runs.
class Call {
  #stream;
  #waiting = new Map(); // by id: who waits for an answer of the host
  #lastId = 0;
  #abort = new AbortController();
  #start;
  #started = new Promise((resolve) => { this.#start = resolve; });

  constructor(stream) {
    this.#stream = stream;
    this.signal = this.#abort.signal; // aborted when the call is cancelled
    stream.on('data', (message) => this.#receive(message));
    stream.on('cancelled', () => this.#abort.abort(new Error('the host gave the call up')));
    stream.on('error', () => this.#abort.abort(new Error('the host is gone')));
  }

  #receive({ message, ...request }) {
    switch (message) {
      case 'start':
        return this.#start(request.start);
      case 'cancel':
        return this.#abort.abort(new Error(request.cancel.reason));
      case 'handoff_result':
      case 'answer': {
        const answer = request[message];
        this.#waiting.get(answer.id)?.(answer);
        this.#waiting.delete(answer.id);
      }
    }
    // Whatever else a newer host may send is ignored.
  }

  async run(tools) {
    const start = await this.#started;
    this.canHandoff = start.host_features.includes('handoff');
    const tool = tools.get(start.tool);
    try {
      if (!tool) throw new Error(`there is no tool "${start.tool}"; the provider's tools are ${[...tools.keys()].join(', ')}`);
      const { text, structured, files = [] } = await tool.call(JSON.parse(start.input.toString()), this);
      this.#send({ result: { content: [{ text: text ?? JSON.stringify(structured) }], structured: json(structured), files } });
    } catch (err) {
      this.#send({ result: { is_error: true, content: [{ text: err.message }] } });
    }
    this.#stream.end();
  }

  // progress tells how far the call is; fraction is 0 to 1, or absent.
  progress(message, fraction) { this.#send({ progress: { message, fraction } }); }

  // output shows what is printed while the call runs.
  output(text) { this.#send({ output: { stream: 'stdout', data: Buffer.from(text) } }); }

  // ask puts a question to the person: {text, options, allow_free_text}.
  ask(question) { return this.#request('question', question); }

  // handoff runs a command in the person's foreground shell: {command, dir}.
  handoff(command) { return this.#request('handoff', command); }

  #request(kind, message) {
    const id = String(++this.#lastId);
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, resolve);
      this.signal.addEventListener('abort', () => reject(this.signal.reason), { once: true });
      this.#send({ [kind]: { ...message, id } });
    });
  }

  #send(message) {
    if (!this.#stream.cancelled) this.#stream.write(message);
  }
}

function describeTool(tool) {
  return {
    name: tool.name,
    description: tool.description,
    input_schema: json(tool.inputSchema),
    output_schema: json(tool.outputSchema),
    annotations: tool.annotations,
    subjects: tool.subjects,
    plans: Boolean(tool.plan),
  };
}

const json = (value) => (value === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(value)));
const milliseconds = ({ seconds, nanos }) => seconds * 1000 + nanos / 1e6;
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

module.exports = { serve, ConfigError };

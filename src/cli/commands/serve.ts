/** `tenon serve`: the patterns as MCP tools over stdio, with a model from the environment. */
import type { Readable, Writable } from 'node:stream';
import { messageOf } from '../../basics/failure.ts';
import { version } from '../../basics/version.ts';
import { describeForOperator } from '../../bridge/operator-report.ts';
import { servePatterns } from '../../bridge/serve-patterns.ts';
import { type StdioService, serveStdioOn } from '../../channels/stdio-server.ts';
import { type Environment, modelFromEnvironment } from '../../models/environment.ts';
import { Server } from '../../server/server.ts';
import type { Command } from '../command.ts';
import type { Terminal } from '../terminal.ts';

const help = `Usage: tenon serve

Serves two MCP tools over standard input and output, until the client leaves:
  consensus   asks a model several times; gives the answer that most agree on
  react_loop  lets a model work on a task with a calculator and an echo

The model comes from the environment:
  TENON_BASE_URL  where it is, such as http://localhost:11434/v1
  TENON_MODEL     its name, or provider:name
  TENON_API_KEY   its key, where it needs one

Without them it starts all the same, and calls answer what is missing.`;

const instructions =
  'consensus is for questions with a short, exact answer; react_loop is for tasks that need calculation in several steps. ' +
  'Both call a language model, which costs time and money.';

export interface ServeOptions {
  readonly environment: Environment;
  readonly terminal: Pick<Terminal, 'warn'>;
  /** The process's own unless set. */
  readonly input?: Readable;
  readonly output?: Writable;
}

/** Starts serving and says so in one line of `terminal.warn`; standard output belongs to the protocol. */
export async function startServing({
  environment,
  terminal,
  ...streams
}: ServeOptions): Promise<StdioService> {
  const getModel = async () => modelFromEnvironment(environment);
  const tools = servePatterns({
    model: getModel,
    onError: (reference, error) => terminal.warn(`tenon serve: ${describeForOperator(reference, error)}`),
  });
  const server = new Server({ name: 'tenon', title: 'Tenon patterns', version, instructions, tools });
  const service = serveStdioOn(server, streams);
  const names = tools.map(({ name }) => name).join(' and ');
  const found = await getModel().then(
    model => ` with ${model.name}`,
    (error: unknown) => `, but calls will fail until this is mended: ${messageOf(error)}`,
  );
  terminal.warn(`tenon ${version} serves ${names} over stdio${found}`);
  return service;
}

export const serveCommand: Command = {
  help,
  options: {},
  operands: { most: 0, commandLine: false },
  async run(_given, terminal) {
    const service = await startServing({ environment: process.env, terminal });
    await service.closed;
    return 0;
  },
};

/** Causes and remedies for servers that are programs: not found, not started, ended, or silent. */
import { isTimeoutError } from '../../../basics/timeout-error.ts';
import { type ConnectionError, isConnectionError } from '../../../rpc/connection-error.ts';
import { type Failure, lastLine, type Patient, type Rule } from './failure.ts';
import type { Finding } from './report.ts';
import { readClues } from './stderr-clues.ts';

/** What brings the programs along that servers are most often started with. */
const providers: Readonly<Record<string, string>> = {
  npx: 'npx comes with Node.js: https://nodejs.org',
  node: 'Install Node.js: https://nodejs.org',
  uvx: 'uvx comes with uv: https://docs.astral.sh/uv',
  uv: 'Install uv: https://docs.astral.sh/uv',
  docker: 'Install Docker: https://docs.docker.com',
  bunx: 'bunx comes with Bun: https://bun.sh',
  deno: 'Install Deno: https://deno.com',
  python: 'Many systems call it python3',
};
/** Programs that may fetch a server before they start it. */
const fetching = /(?:^|[\\/])(?:npx|bunx|uvx|pipx|docker|podman|npm|pnpm|yarn)(?:\.cmd|\.exe)?$/i;

/** Why a program was not started, by the word of the error. */
const startRemedies: Readonly<Record<string, (patient: Patient, error: ConnectionError) => Finding>> = {
  'command-not-found': ({ target }, { hint = '' }) => commandNotFound(target, hint),
  'command-not-executable': ({ target }) => ({
    code: 'command-not-executable',
    cause: `${JSON.stringify(target)} is there, but may not be executed`,
    remedy: 'Run chmod +x on it, or give its interpreter as command and the file as argument.',
  }),
  'cwd-not-found': (_patient, error) => ({
    code: 'cwd-not-found',
    cause: error.message,
    remedy: 'Create the folder, or correct "cwd" of its entry.',
  }),
  'interpreter-not-found': (_patient, error) => ({
    code: 'interpreter-not-found',
    cause: error.message,
    remedy: 'Install the interpreter, or give it as command and the file as argument.',
  }),
};

/** The command was looked for and is not there. */
export function commandNotFound(command: string, hint: string): Finding {
  const name = command.replace(/\.(?:cmd|exe)$/i, '');
  const provider = Object.hasOwn(providers, name) ? `${providers[name]}. ` : '';
  const cause = `there is no command ${JSON.stringify(command)}`;
  return { code: 'command-not-found', cause, remedy: `${provider}${hint}` };
}

export const processRules: readonly Rule[] = [
  ({ thrown, patient }) => {
    if (!isConnectionError(thrown) || thrown.phase !== 'spawn') return undefined;
    return startRemedies[thrown.reason]?.(patient, thrown);
  },
  failure => {
    const { thrown, patient } = failure;
    if (patient.transport !== 'stdio' || !isConnectionError(thrown) || thrown.reason !== 'exited')
      return undefined;
    const { code = null, signal = null } = thrown.exit ?? {};
    const happened = signal === null ? `it ended with code ${code}` : `it was ended by ${signal}`;
    return readClues(failure, happened) ?? explainExit(failure, happened, code, signal);
  },
  failure => {
    const { thrown, patient } = failure;
    if (patient.transport !== 'stdio' || !isTimeoutError(thrown) || thrown.limit !== 'connect')
      return undefined;
    return explainSilence(failure, thrown.ms);
  },
  ({ thrown }) => {
    if (!isConnectionError(thrown) || thrown.reason !== 'line-too-long') return undefined;
    return {
      code: 'line-too-long',
      cause: thrown.message,
      remedy: 'The server prints something else than messages on stdout; it must go to stderr.',
    };
  },
];

function explainExit(
  failure: Failure,
  happened: string,
  code: number | null,
  signal: string | null,
): Finding {
  const words = lastLine(failure.stderr);
  const said = words === undefined ? ' without a word' : `; its last words: ${JSON.stringify(words)}`;
  const cause = `${happened}${said}`;
  if (code === 127) {
    const remedy =
      'A command behind this one was not found: check what it starts, and the PATH that it gets.';
    return { code: 'inner-command-not-found', cause, remedy };
  }
  if (signal === 'SIGKILL') {
    const remedy = 'The system ended it, most often for want of memory: give it more, or less to do.';
    return { code: 'killed', cause, remedy };
  }
  if (code === 0 && !failure.seen.message) {
    const remedy =
      'It is perhaps no server over stdio, or needs a sub-command or an argument such as "serve" or "--stdio"; see its help.';
    return { code: 'ended-at-once', cause, remedy };
  }
  return { code: 'ended', cause, remedy: byHand(failure.patient) };
}

/** Nothing that helps came in time. */
function explainSilence({ patient, seen, stderr }: Failure, ms: number): Finding {
  const within = `within ${(ms / 1000).toLocaleString('en')} s`;
  if (seen.message) {
    const cause = `it sends messages, but did not answer the opening request ${within}`;
    return { code: 'no-answer', cause, remedy: `Update the server. ${byHand(patient)}` };
  }
  const noise = seen.noise[0];
  if (seen.output) {
    const printed = noise === undefined ? '' : `, such as ${JSON.stringify(noise)}`;
    return {
      code: 'not-a-server',
      cause: `it prints on stdout what is no message${printed}, and answered nothing ${within}`,
      remedy:
        'It is perhaps no MCP server, or serves over HTTP: see its help for a stdio mode, or use its URL.',
    };
  }
  const address = /https?:\/\/[^\s"']+/.exec(lastLine(stderr, servesOverHttp) ?? '');
  if (address !== null) {
    const remedy = `Give "url": "${address[0]}" in its entry instead of the command, or start it in its stdio mode.`;
    return { code: 'serves-http', cause: `it serves over HTTP at ${address[0]} and not over stdio`, remedy };
  }
  const words = lastLine(stderr);
  if (words !== undefined || fetching.test(patient.target)) {
    const busy =
      words === undefined ? 'it may still be fetched' : `its last words on stderr: ${JSON.stringify(words)}`;
    return {
      code: 'slow-start',
      cause: `it was not ready ${within}; ${busy}`,
      remedy:
        'Give it more time by --timeout, start it once by hand so that it is installed, or install it for good.',
    };
  }
  return {
    code: 'silent',
    cause: `it runs, but wrote nothing ${within}, neither on stdout nor on stderr`,
    remedy: `It is perhaps no server over stdio, waits for something else, or holds its output back in a buffer. ${byHand(patient)}`,
  };
}

function servesOverHttp(line: string): boolean {
  return /(?:listening|running|serving|started).*https?:\/\//i.test(line);
}

function byHand({ configured }: Patient): string {
  return configured
    ? 'Run its command line by hand. It gets only the safe part of the environment: what it needs must stand in "env" of its entry.'
    : 'Run its command line by hand to see what it does.';
}

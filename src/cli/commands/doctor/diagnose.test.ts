import { describe, expect, it } from 'vitest';
import { TimeoutError } from '../../../basics/timeout-error.ts';
import { VersionError } from '../../../protocol/errors.ts';
import { ConnectionError, type ConnectionFacts } from '../../../rpc/connection-error.ts';
import { ProtocolError } from '../../../rpc/protocol-error.ts';
import { diagnose } from './diagnose.ts';
import type { Failure, Patient } from './failure.ts';
import type { ReplySeen, Sightings } from './sightings.ts';

const program: Patient = {
  ...{ transport: 'stdio', configured: true, target: 'node', args: ['server.js'] },
  ...{ variables: [], headers: [] },
};
const web: Patient = { ...program, transport: 'http', target: 'https://example.com/mcp', args: [] };
const nothing: Sightings = {
  ...{ output: false, message: false, replies: [], noise: [], diagnostics: [] },
};

const failure = (thrown: unknown, more: Partial<Failure> = {}): Failure => ({
  ...{ step: 'protocol', patient: program, seen: nothing, stderr: '', isSet: () => false },
  ...more,
  thrown,
});
const connection = (facts: Partial<ConnectionFacts>): ConnectionError =>
  new ConnectionError('it failed', { phase: 'initialize', reason: 'x', outcome: 'failed', ...facts });
const exited = (code: number | null, signal: string | null = null): ConnectionError =>
  connection({ reason: 'exited', exit: { code, signal } });
const timeout = (limit: 'connect' | 'idle' = 'connect'): TimeoutError =>
  new TimeoutError('too late', { phase: 'tools/list', limit, ms: 2000 });
const saw = (more: Partial<Sightings>): { seen: Sightings } => ({ seen: { ...nothing, ...more } });
const replied = (...replies: Partial<ReplySeen>[]): { seen: Sightings } =>
  saw({ replies: replies.map(reply => ({ status: 200, type: '', challenge: undefined, ...reply })) });

describe('a program', () => {
  it.each([
    ['command-not-executable', /may not be executed/, /chmod \+x/],
    ['cwd-not-found', /it failed/, /"cwd"/],
    ['interpreter-not-found', /it failed/, /Install the interpreter/],
    ['command-not-found', /no command "node"/, /Install Node\.js/],
  ])('that was not started, %s', (reason, cause, remedy) => {
    const found = diagnose(failure(connection({ phase: 'spawn', reason }), { step: 'start' }));
    expect(found).toEqual({
      code: reason,
      cause: expect.stringMatching(cause),
      remedy: expect.stringMatching(remedy),
    });
  });

  it.each([
    ['FATAL: API_KEY missing', 'key-missing', /Put API_KEY into "env"/],
    ['Error: The GITHUB_TOKEN environment variable is required', 'key-missing', /GITHUB_TOKEN/],
    ['Please set SLACK_BOT_TOKEN and SLACK_TEAM_ID', 'key-missing', /SLACK_BOT_TOKEN/],
    ['No API key provided', 'key-missing', /key that the line speaks of/],
    ['Invalid credentials', 'key-missing', /in "env" of its entry or in "args"/],
    ['listen EADDRINUSE: address already in use :::3000', 'port-in-use', /port 3000/],
    ['OSError: [Errno 98] Address already in use', 'port-in-use', /that port/],
    ["Error: Cannot find module '/x/dist/index.js'", 'module-not-found', /Install or build/],
    ["ModuleNotFoundError: No module named 'mcp'", 'module-not-found', /Install or build/],
    [
      'npm error 404 Not Found - GET https://registry.example/no-such',
      'package-not-found',
      /name and the version/,
    ],
    ['npm error code E404', 'package-not-found', /name and the version/],
    [
      'npm error network request to https://registry failed, reason: getaddrinfo ENOTFOUND',
      'registry-unreachable',
      /proxy/,
    ],
    ['npm warn EBADENGINE Unsupported engine', 'old-runtime', /Update the runtime/],
    ['This server requires Node.js >= 22', 'old-runtime', /Update the runtime/],
    [
      'docker: Cannot connect to the Docker daemon at unix:///var/run/docker.sock.',
      'docker-not-running',
      /Start Docker/,
    ],
    ["EROFS: read-only file system, mkdir '/home/x/.npm'", 'read-only', /HOME/],
    ["Error: EACCES: permission denied, open '/root/x'", 'permission-denied', /right/],
    ["Error: ENOENT: no such file or directory, scandir '/nope'", 'file-missing', /paths in "args"/],
    ['error: unknown option --stdoi', 'bad-arguments', /Compare "args"/],
    ['Usage: server <folder>', 'bad-arguments', /Compare "args"/],
    ['something else altogether', 'ended', /by hand/],
  ])('that ended after %j: %s', (line, code, remedy) => {
    const stderr = `starting\n${line}\n    at Object.run (/x/y.js:1:2)\n  code: 'SOME_CODE_X',\n}\n\nNode.js v20.20.2\n`;
    const found = diagnose(failure(exited(1), { stderr }));
    expect(found.code).toBe(code);
    expect(found.cause).toContain(JSON.stringify(line));
    expect(found.remedy).toMatch(remedy);
  });

  it.each([
    [127, null, 'inner-command-not-found'],
    [null, 'SIGKILL', 'killed'],
    [null, 'SIGSEGV', 'ended'],
    [0, null, 'ended-at-once'],
  ])('that ended with code %s and signal %s', (code, signal, word) => {
    expect(diagnose(failure(exited(code, signal))).code).toBe(word);
  });

  it('that ended with code 0 after it had answered was no wrong program', () => {
    expect(diagnose(failure(exited(0), saw({ message: true }))).code).toBe('ended');
  });

  it('that lacks a variable: says where it is to be set', () => {
    const stderr = 'API_KEY is not set';
    const remedy = (more: Partial<Patient>, isSet: boolean): string =>
      diagnose(failure(exited(1), { stderr, patient: { ...program, ...more }, isSet: () => isSet })).remedy;
    expect(remedy({}, false)).toContain('Put API_KEY into "env" of its entry');
    expect(remedy({}, true)).toContain('a configured server gets only the safe part');
    expect(remedy({ variables: ['API_KEY'] }, false)).toBe('API_KEY is given: check its value.');
    expect(remedy({ configured: false }, false)).toContain('API_KEY=… tenon doctor');
    expect(remedy({ configured: false }, true)).toBe('API_KEY is given: check its value.');
  });

  it.each([
    ['silent', {}, {}],
    ['slow-start', { stderr: 'Downloading 3 of 70' }, {}],
    ['slow-start', {}, { target: '/usr/bin/npx' }],
    ['slow-start', {}, { target: 'C:\\bin\\uvx.exe' }],
    ['serves-http', { stderr: 'MCP server listening on http://localhost:3000/mcp' }, {}],
    ['not-a-server', saw({ output: true, noise: ['hello'] }), {}],
    ['no-answer', saw({ output: true, message: true }), {}],
  ])('that was not ready in time: %s', (code, more, patient) => {
    const found = diagnose(failure(timeout(), { ...more, patient: { ...program, ...patient } }));
    expect(found.code).toBe(code);
    expect(found.cause).toMatch(/within 2 s|over HTTP at http:\/\/localhost:3000\/mcp/);
  });
});

describe('a server at a URL', () => {
  it.each([
    ['ENOTFOUND', 'host-unknown'],
    ['EAI_AGAIN', 'host-unknown'],
    ['ECONNREFUSED', 'refused'],
    ['ETIMEDOUT', 'unreachable'],
    ['EHOSTUNREACH', 'unreachable'],
    ['ECONNRESET', 'cut'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls-untrusted'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls-untrusted'],
    ['CERT_HAS_EXPIRED', 'tls-expired'],
    ['CERT_NOT_YET_VALID', 'tls-not-yet-valid'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls-other-name'],
    ['EPROTO', 'tls-not-spoken'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'tls-not-spoken'],
  ])('that cannot be reached, %s: %s', (code, word) => {
    const inner = Object.assign(new Error('inner'), { code });
    for (const cause of [inner, new Error('fetch failed', { cause: inner }), new AggregateError([inner])]) {
      const thrown = connection({ reason: 'connect-failed', cause });
      expect(diagnose(failure(thrown, { patient: web, step: 'reach' })).code).toBe(word);
    }
  });

  it.each([
    [400, 'refused-request'],
    [401, 'unauthorized'],
    [403, 'forbidden'],
    [404, 'wrong-url'],
    [405, 'wrong-url'],
    [406, 'not-acceptable'],
    [407, 'proxy-credentials'],
    [429, 'busy'],
    [500, 'server-failed'],
    [503, 'server-failed'],
  ])('that answers with status %i: %s', (status, word) => {
    const found = diagnose(failure(connection({ reason: 'http-status', status }), { patient: web }));
    expect(found.code).toBe(word);
  });

  it('that refuses credentials is told from one that was given none', () => {
    const thrown = connection({ status: 401 });
    const more = replied({ status: 401, challenge: 'Bearer realm="x", error="invalid_token"' });
    expect(diagnose(failure(thrown, { patient: web, ...more })).cause).toMatch(
      /none were sent .*asks for Bearer$/,
    );
    const given = { ...web, headers: ['authorization'] };
    expect(diagnose(failure(thrown, { patient: given, ...more }))).toMatchObject({
      cause: expect.stringMatching(/refused the credentials/),
      remedy: expect.stringMatching(/expired/),
    });
  });

  it('that answers with 404 once it was open has lost its session, whatever form the answer has', () => {
    const seen = replied({}, { status: 404 });
    for (const thrown of [connection({ status: 404 }), new ProtocolError(-32001, 'Session not found')]) {
      expect(diagnose(failure(thrown, { patient: web, step: 'lists', ...seen })).code).toBe('session-lost');
    }
  });

  it.each([
    ['unreadable-reply', 'text/html', 'html-page'],
    ['empty-reply', '', 'not-mcp'],
    ['unreadable-reply', 'text/plain', 'not-mcp'],
    ['stream-ended', 'text/event-stream', 'stream-cut'],
    ['stream-cut', 'text/event-stream', 'stream-cut'],
    ['redirected', '', 'redirected'],
  ])('whose reply is no answer, %s as %j: %s', (reason, type, word) => {
    const thrown = connection({ reason, status: 200 });
    expect(diagnose(failure(thrown, { patient: web, ...replied({ type }) })).code).toBe(word);
  });

  it('that is silent', () => {
    expect(diagnose(failure(timeout(), { patient: web, step: 'reach' }))).toMatchObject({
      code: 'no-reply',
      cause: expect.stringContaining('example.com took no request and gave no reply within 2 s'),
    });
  });
});

describe('any server', () => {
  it('without a common revision: says whether the client was pinned', () => {
    const pinned = new VersionError('no', { asked: ['1'], offered: ['2'] });
    expect(diagnose(failure(pinned))).toMatchObject({
      code: 'no-common-revision',
      cause: expect.stringContaining('(asked: 1; offered: 2)'),
      remedy: expect.stringContaining('instead of pinning it'),
    });
    const free = new VersionError('no', { asked: ['1', '3'], offered: [] });
    expect(diagnose(failure(free))).toMatchObject({
      cause: expect.stringContaining('offered: none that it named'),
      remedy: 'Update the older side.',
    });
  });

  it('that refuses to open, with or without a word about a key', () => {
    const refusal = (message: string) => diagnose(failure(new ProtocolError(-32603, message)));
    expect(refusal('not today')).toMatchObject({ code: 'opening-refused', cause: /not today/ });
    expect(refusal('API key missing').code).toBe('key-missing');
  });

  it('that is silent on a list', () => {
    expect(diagnose(failure(timeout('idle'), { step: 'lists' }))).toMatchObject({
      code: 'list-silent',
      cause: 'it did not answer tools/list within 2 s',
    });
  });

  it('fails in a way that no rule knows: its own words and its own hint are told', () => {
    const thrown = connection({ reason: 'new-thing', hint: 'Do this.' });
    expect(diagnose(failure(thrown))).toEqual({ code: 'new-thing', cause: 'it failed', remedy: 'Do this.' });
    expect(diagnose(failure('text'))).toMatchObject({ code: 'failed', cause: 'text' });
    const circle: { cause?: unknown } = {};
    circle.cause = circle;
    const odd = connection({ reason: 'connect-failed', cause: circle });
    expect(diagnose(failure(odd, { patient: web })).code).toBe('connect-failed');
  });
});

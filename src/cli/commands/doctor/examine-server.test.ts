import { describe, expect, it } from 'vitest';
import { oddServer } from '../../../../test/fixtures/command.ts';
import { sessions } from '../../../../test/fixtures/http/mcp-script.ts';
import { ScriptedHttp } from '../../../../test/fixtures/http/scripted-http.ts';
import { remaining } from '../../../../test/fixtures/stdio/servers.ts';
import { systemClock } from '../../../basics/clock.ts';
import { type ProcessEntry, readProcesses } from '../../../channels/child-processes.ts';
import { type ExamineOptions, examineServer } from './examine-server.ts';
import type { StepName, StepReport } from './report.ts';
import type { Subject } from './subject.ts';

const [command = '', script = ''] = oddServer;
const odd = (...args: string[]): Subject => ({
  name: 'odd',
  from: 'a test',
  chosen: {
    name: 'odd',
    entry: { transport: 'stdio', command, args: [script, ...args], env: {} },
    inherit: 'safe',
  },
});

interface Followed {
  readonly options: ExamineOptions;
  readonly begun: StepName[];
  readonly ended: StepReport[];
}

function follow(more: Partial<ExamineOptions> = {}, onBegin: (step: StepName) => void = () => {}): Followed {
  const begun: StepName[] = [];
  const ended: StepReport[] = [];
  const progress = {
    begin(step: StepName) {
      begun.push(step);
      onBegin(step);
    },
    end: (report: StepReport) => void ended.push(report),
  };
  const { signal } = new AbortController();
  const options = {
    ...{ clock: systemClock, signal, timeouts: {}, protocol: 'auto' as const, environment: process.env },
    ...{ progress, ...more },
  };
  return { options, begun, ended };
}

/** The processes that this one started and that still live. */
function ownServers(): ProcessEntry[] {
  return (readProcesses() ?? []).filter(({ parent }) => parent === process.pid);
}

describe('looking at a server', () => {
  it('tells of each step when it begins and when it ends, with the report of all', async () => {
    const { options, begun, ended } = follow();
    const report = await examineServer(odd('ordinary'), options);
    expect(report).toMatchObject({ ok: true, name: 'odd', era: 'handshake' });
    expect(ended).toEqual(report.steps);
    expect(begun).toEqual(ended.map(({ step }) => step));
  });

  it('ends one step alone where a fresh process has to be started', async () => {
    const { options, begun } = follow();
    const report = await examineServer(odd('discover-exits'), options);
    expect(report.ok).toBe(true);
    expect(begun.filter(step => step === 'start' || step === 'protocol')).toEqual(['start', 'protocol']);
  });

  it('says that a server does not end with its input', async () => {
    const { options } = follow({ grace: { end: 100, term: 100 } });
    const report = await examineServer(odd('ignores-end'), options);
    expect(report.steps.at(-1)).toMatchObject({
      step: 'close',
      outcome: 'wrong',
      findings: [{ code: 'does-not-end', cause: expect.stringContaining('0.1 s after its input had ended') }],
    });
  });

  it.each([
    ['tools-missing', 'bad-list'],
    ['tool-no-name', 'bad-entry'],
    ['tool-bad-keywords', 'bad-schema'],
    ['pages-repeating', 'endless-list'],
    ['pages-refused', 'list-refused'],
    ['initialize-refused', 'key-missing'],
    ['discover-newer-only', 'no-common-revision'],
    ['dies-on-initialize', 'ended'],
  ])('names what is wrong with %s: %s', async (variant, code) => {
    const { steps } = await examineServer(odd(variant), follow().options);
    expect(steps.flatMap(({ findings }) => findings).map(finding => finding.code)).toEqual([code]);
  });

  it('tells of a session that was lost and mended, and reads the list all the same', async () => {
    const script = sessions(new Set(['s1']), visit => visit.reply(404));
    const server = await new ScriptedHttp(script).start();
    try {
      const entry = { transport: 'http', url: server.url, headers: {} } as const;
      const chosen = { name: 'web', entry, inherit: 'safe' } as const;
      const report = await examineServer({ name: 'web', from: 'a test', chosen }, follow().options);
      expect(report.steps.find(({ step }) => step === 'lists')).toMatchObject({
        outcome: 'wrong',
        details: expect.arrayContaining(['1 tool']),
        findings: expect.arrayContaining([
          expect.objectContaining({
            code: 'session-lost',
            cause: expect.stringContaining('a new one was opened'),
          }),
        ]),
      });
      expect(report.steps.at(-1)).toMatchObject({ step: 'close', outcome: 'ok' });
    } finally {
      await server.close();
    }
  });

  it('says a fault of an option that only the channel checks', async () => {
    const subject = odd('ordinary');
    if (!('chosen' in subject) || subject.chosen.entry.transport !== 'stdio') throw new Error('no program');
    const entry = { ...subject.chosen.entry, env: { 'A=B': 'x' } };
    const report = await examineServer(
      { ...subject, chosen: { ...subject.chosen, entry } },
      follow().options,
    );
    expect(report.steps).toMatchObject([
      { step: 'config', outcome: 'failed', findings: [{ code: 'bad-config-value' }] },
    ]);
  });

  it.each(['start', 'first bytes', 'protocol', 'capabilities', 'lists', 'schemas', 'close'] as const)(
    'can be given up at the step %s, and leaves no process behind',
    async at => {
      const controller = new AbortController();
      const reason = new Error('enough');
      const { options } = follow({ signal: controller.signal }, step => {
        if (step === at) controller.abort(reason);
      });
      await expect(examineServer(odd('ordinary'), options)).rejects.toBe(reason);
      expect(await remaining(ownServers())).toEqual([]);
    },
  );
});

/** The server that the era suite talks to: one tool per behaviour. */
import { Server } from '../server/server.ts';
import { type AnyTool, tool } from '../tools/tool.ts';
import { askingTools } from './era-suite-asking.ts';
import { documentTools, suitePrompts, suiteResources } from './era-suite-documents.ts';
import { plainTools } from './era-suite-tools.ts';
import { Happenings } from './happenings.ts';

/** What the tools under way can be told to do by other calls. */
interface Waiting {
  readonly nudge: () => void;
  readonly finish: () => void;
}

/** A fresh server for one client; it counts what happens to it. */
export function eraSuiteServer(): Server {
  const happenings = new Happenings();
  const tools: readonly AnyTool[] = [
    ...plainTools(happenings),
    ...askingTools(happenings),
    ...waitingTools(happenings),
    changeTool(
      () => server,
      () => tools,
    ),
    ...documentTools(happenings, () => server),
  ];
  const server: Server = new Server({
    name: 'era-suite',
    version: '1.2.3',
    title: 'Era suite',
    instructions: 'Use the tools.',
    tools,
    resources: suiteResources,
    prompts: suitePrompts,
    pageSize: 4,
    // One of the tools fails on purpose.
    onFault: () => {},
  });
  return server;
}

function changeTool(server: () => Server, tools: () => readonly AnyTool[]): AnyTool {
  return tool({
    name: 'change',
    description: 'Takes the tool "echo" away and adds "late"',
    run() {
      const late = tool({ name: 'late', description: 'Came later', run: () => 'better' });
      server().update({ tools: [...tools().filter(({ name }) => name !== 'echo'), late] });
      return 'changed';
    },
  });
}

function waitingTools(happenings: Happenings): readonly AnyTool[] {
  const waiting = new Set<Waiting>();
  const tellAll = (what: keyof Waiting): string => {
    const told = [...waiting];
    for (const each of told) each[what]();
    return String(told.length);
  };
  return [
    tool({
      name: 'wait',
      description: 'Waits for "finish", reports progress at each "nudge", and gives up when it is cancelled',
      run: (_args, { signal, progress }) =>
        new Promise<string>((resolve, reject) => {
          let done = 1;
          const entry = {
            nudge: () => progress(++done),
            finish: () => leave(() => resolve('finished')),
          };
          const aborted = (): void => {
            happenings.note('aborted');
            leave(() => reject(signal.reason));
          };
          const leave = (settle: () => void): void => {
            waiting.delete(entry);
            signal.removeEventListener('abort', aborted);
            settle();
          };
          waiting.add(entry);
          signal.addEventListener('abort', aborted);
          progress(done, { message: 'waiting' });
          happenings.note('waiting');
        }),
    }),
    tool({
      name: 'nudge',
      description: 'Makes the waiting calls report progress',
      run: () => tellAll('nudge'),
    }),
    tool({ name: 'finish', description: 'Ends the waiting calls', run: () => tellAll('finish') }),
  ];
}

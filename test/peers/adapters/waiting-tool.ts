/** A tool that waits until it is aborted, and how to use it with a library. */
import { type AnyTool, tool } from 'tenon';
import { type Answer, type Json, serveModel } from './model-server.ts';
import type { Report } from './report.ts';

/** What a library is run with. */
export interface Abortable {
  readonly tool: AnyTool;
  readonly url: string;
  readonly signal: AbortSignal;
}

/** Runs the library, aborts it once the tool runs, and tells what the tool and the caller saw of that. */
export async function abortWhileRunning(
  answers: readonly ((body: Json) => Answer)[],
  use: (given: Abortable) => Promise<unknown>,
): Promise<Report> {
  const controller = new AbortController();
  let toolAborted = false;
  const wait = tool({
    name: 'wait',
    description: 'Waits.',
    run: (_, { signal }) =>
      new Promise<string>(resolve => {
        signal.addEventListener('abort', () => {
          toolAborted = true;
          resolve('too late');
        });
        controller.abort(new Error('enough'));
      }),
  });
  const server = await serveModel(answers);
  let failed = false;
  try {
    await use({ tool: wait, url: server.url, signal: controller.signal });
  } catch {
    failed = true;
  }
  await server.close();
  return { answer: '', asked: server.asked, more: { toolAborted, failed } };
}

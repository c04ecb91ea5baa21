/** What is served where nothing is configured: consensus and react_loop, with a model from the environment. */
import { messageOf } from '../../../basics/failure.ts';
import { describeForOperator } from '../../../bridge/serving/operator-report.ts';
import { servePatterns } from '../../../bridge/serving/serve-patterns.ts';
import { type Environment, modelFromEnvironment } from '../../../models/environment.ts';
import type { RecordedCalls } from '../../recording/recorded-calls.ts';
import type { Terminal } from '../../terminal.ts';
import type { Offered } from './offered.ts';

const instructions =
  'consensus is for questions with a short, exact answer; react_loop is for tasks that need calculation in several steps. ' +
  'Both call a language model, which costs time and money.';

/** Without a model it is served all the same, and calls answer what is missing. */
export async function offerUsual(
  environment: Environment,
  terminal: Pick<Terminal, 'warn'>,
  calls?: RecordedCalls | undefined,
): Promise<Offered> {
  const getModel = async () => modelFromEnvironment(environment);
  const tools = servePatterns({
    model: getModel,
    observe: calls?.observe,
    onError: (reference, error) => terminal.warn(`tenon serve: ${describeForOperator(reference, error)}`),
  });
  return {
    about: { name: 'tenon', title: 'Tenon patterns', instructions },
    tools: calls === undefined ? tools : tools.map(calls.tool),
    note: await describeModel(getModel),
    lines: [],
    close: async () => {},
  };
}

/** What is known of the model before the first call, as the rest of a sentence. */
export function describeModel(getModel: () => Promise<{ readonly name: string }>): Promise<string> {
  return getModel().then(
    model => ` with ${model.name}`,
    (error: unknown) => `, but calls will fail until this is mended: ${messageOf(error)}`,
  );
}

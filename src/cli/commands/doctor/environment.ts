/** Looks at what servers and models need around them: Node, the variables of the model and its address, a free port. */
import { messageOf, TenonError } from '../../../basics/failure.ts';
import { showUrl } from '../../../channels/http-client-options.ts';
import { modelFromEnvironment } from '../../../models/environment.ts';
import { cleanerOf } from './clean.ts';
import type { ExamineOptions } from './examine-server.ts';
import { systemCodeOf } from './failure.ts';
import type { ConnectTo, ListenOn } from './network.ts';
import type { Finding, StepReport } from './report.ts';
import type { ServingConfig } from './serving-config.ts';
import { Steps } from './steps.ts';

export interface EnvironmentOptions extends Pick<ExamineOptions, 'clock' | 'progress' | 'environment'> {
  /** Such as `20.19.0`. */
  readonly nodeVersion: string;
  /** What is wrong with configuration files. */
  readonly faults: readonly Finding[];
  /** How many servers the files name, and in which files. */
  readonly found: string;
  /** The configuration of what is served, if there is one. */
  readonly serving: ServingConfig | undefined;
  readonly connectTo: ConnectTo;
}

/** The oldest Node that will do: major and minor. */
const oldestNode = [20, 19] as const;
const variables = ['TENON_BASE_URL', 'TENON_MODEL', 'TENON_API_KEY'] as const;

/** Never rejects, and never shows the value of a key. */
export async function examineEnvironment(options: EnvironmentOptions): Promise<readonly StepReport[]> {
  const { clock, progress, environment, nodeVersion, faults, found } = options;
  const steps = new Steps(clock, progress, cleanerOf([environment['TENON_API_KEY'] ?? '']));
  steps.note('node', { details: [nodeVersion], findings: oldNode(nodeVersion) });
  steps.note('config', { details: [found], findings: faults });
  const { serving } = options;
  if (serving !== undefined) steps.note('serving', { details: [serving.file], findings: serving.findings });
  steps.begin('model');
  steps.end(await examineModel(environment));
  const address = environment['TENON_BASE_URL']?.trim() ?? '';
  if (URL.canParse(address)) {
    steps.begin('address');
    steps.end(await examineAddress(new URL(address), options.connectTo));
  }
  return steps.done;
}

function oldNode(version: string): Finding[] {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isOld = major < oldestNode[0] || (major === oldestNode[0] && minor < oldestNode[1]);
  if (!isOld) return [];
  const cause = `this is Node ${version}, and at least ${oldestNode.join('.')} is needed`;
  return [{ code: 'old-node', cause, remedy: 'Update Node.js: https://nodejs.org' }];
}

async function examineModel(environment: EnvironmentOptions['environment']): Promise<Partial<StepReport>> {
  const given = variables.filter(name => (environment[name]?.trim() ?? '') !== '');
  if (given.length === 0) {
    return { details: [`none is set by ${variables.join(', ')}; the commands that need one take --model`] };
  }
  try {
    const { name } = await modelFromEnvironment(environment);
    return { details: [name, `set: ${given.join(', ')}`] };
  } catch (error) {
    const remedy =
      (error instanceof TenonError ? error.hint : undefined) ??
      'Correct the variable that the message names.';
    return { findings: [{ code: 'model-not-configured', cause: messageOf(error), remedy }] };
  }
}

/** Only whether somebody listens there: no request is sent, and no key. */
async function examineAddress(url: URL, connectTo: ConnectTo): Promise<Partial<StepReport>> {
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  try {
    await connectTo(host, port);
    return { details: [`${host} takes connections on port ${port}`] };
  } catch (error) {
    const code = systemCodeOf(error);
    const isUnknown = code === 'ENOTFOUND' || code === 'EAI_AGAIN';
    const cause = isUnknown
      ? `there is no host ${host}, which TENON_BASE_URL names`
      : `${host} takes no connection on port ${port} (${code ?? messageOf(error)}), which TENON_BASE_URL names`;
    const remedy = isUnknown
      ? 'Correct TENON_BASE_URL; check the network, the VPN and the name server.'
      : `Start what serves the model there, or correct TENON_BASE_URL, which is ${showUrl(url)}.`;
    return { findings: [{ code: isUnknown ? 'host-unknown' : 'model-unreachable', cause, remedy }] };
  }
}

/** Whether a server could be served there. */
export async function examinePort(
  { host, port }: { readonly host: string; readonly port: number },
  { clock, progress }: Pick<ExamineOptions, 'clock' | 'progress'>,
  listenOn: ListenOn,
): Promise<readonly StepReport[]> {
  const steps = new Steps(clock, progress, cleanerOf([]));
  steps.begin('port');
  try {
    await listenOn(host, port);
    steps.end({ details: [`${host}:${port} is free`] });
  } catch (error) {
    steps.end({ findings: [portFault(host, port, error)] });
  }
  return steps.done;
}

function portFault(host: string, port: number, error: unknown): Finding {
  const code = systemCodeOf(error);
  if (code === 'EADDRINUSE') {
    return {
      code: 'port-in-use',
      cause: `something else listens on ${host}:${port}, perhaps an earlier run of the same server`,
      remedy: `End it (lsof -i :${port} names it), or serve on another port.`,
    };
  }
  if (code === 'EACCES') {
    const remedy = 'Take a port of 1,024 or more, or give Node the right to this one.';
    return { code: 'port-not-allowed', cause: `port ${port} may not be used by this user`, remedy };
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    const remedy = 'Use 127.0.0.1, ::1, or an address of this machine.';
    return { code: 'not-our-address', cause: `${host} is no address of this machine`, remedy };
  }
  return { code: 'port-not-usable', cause: messageOf(error), remedy: 'The message of the system says why.' };
}

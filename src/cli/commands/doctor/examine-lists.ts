/** Reads the lists that a server offers: how long they are, which are refused, and what is odd in them. */
import { messageOf } from '../../../basics/failure.ts';
import type { Diagnostic } from '../../../channels/channel.ts';
import type { Client } from '../../../client/client.ts';
import type { ToolListing } from '../../../protocol/tool-listing.ts';
import { codes, isProtocolError } from '../../../rpc/protocol-error.ts';
import { count } from '../../print.ts';
import { lostSession } from './remedies-http.ts';
import { atMost, type Finding } from './report.ts';
import type { Steps } from './steps.ts';

export interface OfferLook {
  readonly steps: Steps;
  readonly signal: AbortSignal;
  /** What the client noticed so far. */
  diagnostics(): readonly Diagnostic[];
  diagnose(thrown: unknown): Finding;
  /** What else was noticed since. */
  also(): readonly Finding[];
}

/** Reads what is offered, one list after the other; nothing when the connection did not outlive that. */
export async function examineLists(
  client: Client,
  look: OfferLook,
): Promise<readonly ToolListing[] | undefined> {
  const { steps, signal } = look;
  steps.begin('lists');
  const details: string[] = [];
  const findings: Finding[] = [];
  let tools: readonly ToolListing[] = [];
  const offers = (name: string): boolean => client.capabilities[name] !== undefined;
  const lists: readonly (readonly [noun: string, capability: string, read: () => Promise<number>])[] = [
    [
      'tool',
      'tools',
      async () => {
        tools = await client.tools({ signal }).all();
        return tools.length;
      },
    ],
    ['resource', 'resources', async () => (await client.resources({ signal }).all()).length],
    ['resource template', 'resources', async () => (await client.resourceTemplates({ signal }).all()).length],
    ['prompt', 'prompts', async () => (await client.prompts({ signal }).all()).length],
  ];
  for (const [noun, capability, read] of lists) {
    if (!offers(capability)) continue;
    try {
      details.push(count(await read(), noun));
    } catch (thrown) {
      signal.throwIfAborted();
      // Many have no templates and say so in this way.
      if (noun === 'resource template' && isProtocolError(thrown) && thrown.code === codes.methodNotFound)
        continue;
      const isRefusal = isProtocolError(thrown);
      findings.push(isRefusal ? refusedList(noun, thrown) : look.diagnose(thrown));
      if (isRefusal) continue;
      steps.end({ details, findings: [...findings, ...look.also()], failed: true });
      return undefined;
    }
  }
  if (look.diagnostics().some(({ kind }) => kind === 'session')) {
    findings.push(lostSession('the server forgot a session that it had just opened; a new one was opened'));
  }
  findings.push(...atMost(notesOn(look.diagnostics())), ...look.also());
  steps.end({ details: details.length + findings.length === 0 ? ['nothing is offered'] : details, findings });
  return tools;
}

function refusedList(noun: string, thrown: unknown): Finding {
  const cause = `it offers ${noun}s and refuses to list them: ${messageOf(thrown)}`;
  const remedy = 'The server must not declare what it does not have, or must answer its list; update it.';
  return { code: 'list-refused', cause, remedy };
}

interface Fault {
  readonly code: string;
  readonly remedy: string;
}

const badEntry: Fault = {
  code: 'bad-entry',
  remedy: 'Mend the definition in the server: other clients lose the whole list by such an entry.',
};
/** By the word of the diagnostic. */
const listFaults: Readonly<Record<string, Fault>> = {
  'tool-dropped': badEntry,
  'tool-mended': badEntry,
  'entry-dropped': badEntry,
  'entry-mended': badEntry,
  'odd-list': {
    code: 'bad-list',
    remedy: 'The server must answer with an array, empty when it has nothing.',
  },
  'list-cut': {
    code: 'endless-list',
    remedy: 'The server must give a new cursor for each page, and none with its last one.',
  },
};

/** What was mended or left out while lists were read. */
function notesOn(diagnostics: readonly Diagnostic[]): Finding[] {
  return diagnostics.flatMap(({ kind, message }) => {
    const fault = listFaults[kind];
    if (fault === undefined) return [];
    const code = fault === badEntry && /Schema/.test(message) ? 'bad-schema' : fault.code;
    return [{ code, cause: message, remedy: fault.remedy }];
  });
}

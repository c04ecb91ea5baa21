/** One row per request method: whether its handler may ask the client, and whether its result may be kept. */

export interface MethodFacts {
  readonly mayAsk: boolean;
  readonly mayBeKept: boolean;
}

const list: MethodFacts = { mayAsk: false, mayBeKept: true };

const methods: Readonly<Record<string, MethodFacts>> = {
  'tools/list': list,
  'tools/call': { mayAsk: true, mayBeKept: false },
  'prompts/list': list,
  'prompts/get': { mayAsk: true, mayBeKept: false },
  'resources/list': list,
  'resources/templates/list': list,
  'resources/read': { mayAsk: true, mayBeKept: true },
  'completion/complete': { mayAsk: false, mayBeKept: false },
};

const unknown: MethodFacts = { mayAsk: false, mayBeKept: false };

/** The row of a method; for one that is not here, neither. */
export function factsOf(method: string): MethodFacts {
  return Object.hasOwn(methods, method) ? (methods[method] ?? unknown) : unknown;
}

/** What is odd about an answer that is understood all the same, so that it can be told what was tolerated. */

/** A short stable word for code, and a sentence for people. */
export interface Oddity {
  readonly word: string;
  readonly message: string;
}

const known: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params', 'result', 'error']);

/** The first oddity of a response to one of our requests, whose ids are numbers; most have none. */
export function oddityOf(response: object): Oddity | undefined {
  const raw = response as {
    jsonrpc?: unknown;
    id?: unknown;
    method?: unknown;
    result?: unknown;
    error?: unknown;
  };
  if (raw.jsonrpc !== '2.0') return oddity('version', 'lack the member jsonrpc, or it is not "2.0"');
  if (typeof raw.id === 'string') return oddity('id-as-string', 'name the id of the request as a string');
  if (raw.error === null) return oddity('error-null', 'have "error": null beside their result');
  if (raw.error !== undefined && raw.result !== undefined) {
    return oddity('result-and-error', 'have a result beside their error, which counts');
  }
  if (raw.method === null) return oddity('method-null', 'have "method": null');
  for (const member in raw) {
    if (!known.has(member)) {
      return oddity(
        'extra-member',
        `have members that nobody knows, such as ${JSON.stringify(member.slice(0, 40))}`,
      );
    }
  }
  return undefined;
}

function oddity(word: string, what: string): Oddity {
  return { word, message: `answers of the peer ${what}; this is tolerated` };
}

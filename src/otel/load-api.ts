/** The optional peer `@opentelemetry/api`: as it was passed in, or as it is installed. */
import type * as OtelApi from '@opentelemetry/api';
import { messageOf, TenonError } from '../basics/failure.ts';

/** The whole module, as `import * as api from '@opentelemetry/api'` gives it. */
export type Api = Pick<
  typeof OtelApi,
  'context' | 'isSpanContextValid' | 'propagation' | 'ROOT_CONTEXT' | 'SpanKind' | 'SpanStatusCode' | 'trace'
>;

type Loaded = { readonly api: Api } | { readonly fault: unknown };

// Not a literal, so that builds without the peer do not stumble over it; the type above says what comes.
const peer: string = '@opentelemetry/api';

/** Only who imports `tenon/otel` waits for this, and only once. */
const loaded: Loaded = await import(peer).then(
  (api: Api) => ({ api }),
  (fault: unknown) => ({ fault }),
);

/** Throws a TenonError with the remedy when there is none. */
export function chooseApi(given: Api | undefined, found: Loaded = loaded): Api {
  if (given !== undefined) {
    if (typeof given.trace?.getTracer === 'function') return given;
    throw new TypeError("otel: api must be the whole module: import * as api from '@opentelemetry/api'");
  }
  if ('api' in found) return found.api;
  throw new TenonError(`otel: the package ${peer} could not be loaded: ${messageOf(found.fault)}`, {
    cause: found.fault,
    hint: `Install it (npm install ${peer}), or pass the module: otel({ api }). Bundled programs always pass it.`,
  });
}

/** JSON-RPC 2.0 messages, and telling one kind from another by shape alone; nothing of MCP. */

/** An id: a string or an integer; `0` and `""` are legal. */
export type Id = string | number;

export type Params = { readonly [name: string]: unknown };

export interface Request {
  readonly jsonrpc: '2.0';
  readonly id: Id;
  readonly method: string;
  readonly params?: Params;
}

export interface Notification {
  readonly jsonrpc: '2.0';
  readonly method: string;
  readonly params?: Params;
}

export interface ResultResponse {
  readonly jsonrpc: '2.0';
  readonly id: Id;
  readonly result: unknown;
}

export interface ErrorBody {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

export interface ErrorResponse {
  readonly jsonrpc: '2.0';
  readonly id: Id | null;
  readonly error: ErrorBody;
}

export type Response = ResultResponse | ErrorResponse;
export type Message = Request | Notification | Response;

/** What an inbound value turned out to be; `invalid` says how a server answers it. */
export type Inbound =
  | { readonly kind: 'request'; readonly message: Request }
  | { readonly kind: 'notification'; readonly message: Notification }
  | {
      readonly kind: 'response';
      readonly id: Id | null;
      readonly result?: unknown;
      readonly error?: ErrorBody;
    }
  | { readonly kind: 'batch'; readonly members: readonly unknown[] }
  | { readonly kind: 'invalid'; readonly id: Id | null; readonly reason: string };

/** True for a string or an integer that JavaScript holds exactly. */
export function isId(value: unknown): value is Id {
  return typeof value === 'string' || (typeof value === 'number' && Number.isSafeInteger(value));
}

/**
 * Tells what a parsed JSON value is. Tolerant of what peers do: extra members, `error: null` beside a result,
 * `params: null`; strict about what an answer would depend on: the id, the method, the version member of a request.
 */
export function readMessage(value: unknown): Inbound {
  if (typeof value !== 'object' || value === null) {
    return {
      kind: 'invalid',
      id: null,
      reason: `a message must be a JSON object, got ${value === null ? 'null' : typeof value}`,
    };
  }
  if (Array.isArray(value)) return { kind: 'batch', members: value };
  const raw = value as {
    jsonrpc?: unknown;
    id?: unknown;
    method?: unknown;
    params?: unknown;
    result?: unknown;
    error?: unknown;
  };
  // Some peers write every member, with null for what is not there.
  if (
    (raw.method === undefined || raw.method === null) &&
    (raw.result !== undefined || raw.error !== undefined)
  )
    return readResponse(raw);
  const hasId = 'id' in raw;
  if (hasId && !isId(raw.id)) {
    return { kind: 'invalid', id: null, reason: `id must be a string or an integer, got ${kindOf(raw.id)}` };
  }
  const id = hasId ? (raw.id as Id) : null;
  if (typeof raw.method !== 'string')
    return { kind: 'invalid', id, reason: `method must be a string, got ${kindOf(raw.method)}` };
  if (raw.jsonrpc !== '2.0')
    return { kind: 'invalid', id, reason: `jsonrpc must be "2.0", got ${kindOf(raw.jsonrpc)}` };
  const { params } = raw;
  if (params !== undefined && params !== null && (typeof params !== 'object' || Array.isArray(params))) {
    return { kind: 'invalid', id, reason: `params must be an object, got ${kindOf(params)}` };
  }
  const message = params === null ? { ...raw, params: undefined } : raw;
  return hasId
    ? { kind: 'request', message: message as unknown as Request }
    : { kind: 'notification', message: message as unknown as Notification };
}

function readResponse(raw: { id?: unknown; result?: unknown; error?: unknown }): Inbound {
  const id = isId(raw.id) ? raw.id : null;
  if (raw.error !== undefined && raw.error !== null)
    return { kind: 'response', id, error: readError(raw.error) };
  if (raw.result === undefined)
    return { kind: 'invalid', id, reason: 'a response must have a result or an error' };
  return { kind: 'response', id, result: raw.result };
}

function readError(error: unknown): ErrorBody {
  if (typeof error !== 'object' || error === null) return { code: -32603, message: String(error) };
  const { code, message, data } = error as { code?: unknown; message?: unknown; data?: unknown };
  return {
    code: typeof code === 'number' ? code : -32603,
    message: typeof message === 'string' ? message : 'no message was given',
    ...(data === undefined ? {} : { data }),
  };
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return 'an object';
  const shown = JSON.stringify(value) ?? String(value);
  return shown.length > 40 ? `${shown.slice(0, 40)}…` : shown;
}

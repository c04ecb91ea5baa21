/** What each request of the stateless era says of its client, and each result of its server and its freshness. */
import { keepPrinted } from '../../basics/json.ts';
import type { Freshness, Outcome } from '../../protocol/call.ts';
import { readInfo, readObject } from '../../protocol/identity.ts';
import { factsOf } from '../../protocol/methods.ts';
import type { ErrorBody, Params, Request } from '../../rpc/message.ts';
import { codes, isProtocolError } from '../../rpc/protocol-error.ts';
import type { ClientView, ImplementationInfo, LogLevel } from '../../tools/context.ts';
import { isLogLevel } from '../running-call.ts';
import { revisionsOf } from '../versions.ts';

const prefix = 'io.modelcontextprotocol/';
export const metaKeys: {
  readonly version: string;
  readonly capabilities: string;
  readonly client: string;
  readonly logLevel: string;
  readonly server: string;
  readonly subscription: string;
} = {
  version: `${prefix}protocolVersion`,
  capabilities: `${prefix}clientCapabilities`,
  client: `${prefix}clientInfo`,
  logLevel: `${prefix}logLevel`,
  server: `${prefix}serverInfo`,
  subscription: `${prefix}subscriptionId`,
};

/** Error numbers of this era (spec 2026-07-28, basic, error codes). */
export const statelessCodes: {
  readonly headerMismatch: -32020;
  readonly missingCapability: -32021;
  readonly unsupportedVersion: -32022;
} = { headerMismatch: -32020, missingCapability: -32021, unsupportedVersion: -32022 };

export const statelessRevisions: readonly string[] = revisionsOf('stateless');

/** What the envelope of a request says. */
export interface Envelope {
  readonly client: ClientView;
  /** Log messages are sent only when the request asks for them. */
  readonly logLevel: LogLevel | undefined;
}

/** True when a request is of this era: it carries the envelope, or asks what only this era knows. */
export function isStatelessRequest(request: Request): boolean {
  const meta = request.params?.['_meta'];
  if (typeof meta === 'object' && meta !== null && metaKeys.version in meta) return true;
  return request.method === 'server/discover' || request.method === 'subscriptions/listen';
}

/** Reads and checks the envelope, or gives the error to answer with. */
export function readEnvelope(request: Request): { envelope: Envelope } | { error: ErrorBody } {
  const meta = readObject(request.params?.['_meta']);
  const version = meta[metaKeys.version];
  const capabilities = meta[metaKeys.capabilities];
  if (typeof version !== 'string') return { error: incomplete(metaKeys.version, 'a string') };
  if (!statelessRevisions.includes(version)) {
    const message = `protocol revision ${JSON.stringify(version)} is not served in this form`;
    const data = { supported: statelessRevisions, requested: version };
    return { error: { code: statelessCodes.unsupportedVersion, message, data } };
  }
  if (typeof capabilities !== 'object' || capabilities === null || Array.isArray(capabilities)) {
    return { error: incomplete(metaKeys.capabilities, 'an object') };
  }
  const info = meta[metaKeys.client];
  const logLevel = meta[metaKeys.logLevel];
  if (logLevel !== undefined && !isLogLevel(logLevel))
    return { error: incomplete(metaKeys.logLevel, 'a log level') };
  const client = {
    info: info === undefined ? undefined : readInfo(info),
    capabilities: capabilities as Params,
    revision: version,
  };
  return { envelope: { client, logLevel } };
}

function incomplete(key: string, what: string): ErrorBody {
  return { code: codes.invalidParams, message: `params._meta must hold "${key}", ${what}` };
}

/** Results that are kept (lists) are decorated once, so that they can also be printed once. */
const decorated = new WeakMap<Params, WeakMap<ImplementationInfo, Params>>();

/** A result with what this era puts on it. Never changes its argument. */
export function wrapResult(method: string, outcome: Outcome, server: ImplementationInfo): Params {
  const { value, kind } = outcome;
  const keep = kind === undefined && Object.isFrozen(value);
  const known = keep ? decorated.get(value)?.get(server) : undefined;
  if (known) return known;
  const own = value['_meta'];
  const _meta =
    own === undefined ? { [metaKeys.server]: server } : { ...readObject(own), [metaKeys.server]: server };
  const mayBeKept = kind === undefined && factsOf(method).mayBeKept;
  const freshness = mayBeKept ? freshnessMembers(outcome.freshness) : undefined;
  const resultType = kind ?? 'complete';
  const wrapped = { resultType, ...value, ...freshness, _meta };
  // A member of this name, from a server of the other era behind a proxy, says nothing here.
  wrapped.resultType = resultType;
  if (!keep) return wrapped;
  keepPrinted(wrapped);
  const perServer = decorated.get(value) ?? new WeakMap<ImplementationInfo, Params>();
  perServer.set(server, wrapped);
  decorated.set(value, perServer);
  return wrapped;
}

function freshnessMembers(freshness: Freshness | undefined): Params {
  return { ttlMs: freshness?.ttlMs ?? 0, cacheScope: freshness?.scope ?? 'private' };
}

/** A result without what this era put on it; what its server added to `_meta` by itself stays. */
export function unwrapResult(method: string, value: Params): Params {
  const { resultType, _meta, ...rest } = value;
  // Elsewhere members of these names are the result's own.
  const bare: Params = factsOf(method).mayBeKept ? withoutFreshness(rest) : rest;
  const meta = readObject(_meta);
  const isOurs = (key: string): boolean => key === metaKeys.server;
  if (Object.keys(meta).every(isOurs)) return bare;
  const { [metaKeys.server]: _server, ...own } = meta;
  return { ...bare, _meta: own };
}

function withoutFreshness({ ttlMs, cacheScope, ...lasting }: Params): Params {
  return lasting;
}

/** How long a result may be kept, as far as it says so; what is missing or odd counts as stale at once. */
export function readFreshness(value: Params): Freshness {
  const { ttlMs, cacheScope } = value;
  return {
    ttlMs: typeof ttlMs === 'number' && ttlMs > 0 ? ttlMs : 0,
    scope: cacheScope === 'public' ? 'public' : 'private',
  };
}

/** The revisions that an error names when it says that none of them was asked for; nothing for any other error. */
export function offeredBy(thrown: unknown): readonly string[] | undefined {
  if (!isProtocolError(thrown) || thrown.code !== statelessCodes.unsupportedVersion) return undefined;
  const { supported } = readObject(thrown.data);
  return Array.isArray(supported) ? supported.filter(each => typeof each === 'string') : [];
}

/** True for an error that only a server of this era gives. */
export function isStatelessError(thrown: unknown): boolean {
  return isProtocolError(thrown) && Object.values<number>(statelessCodes).includes(thrown.code);
}

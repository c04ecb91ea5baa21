import { describe, expectTypeOf, it } from 'vitest';
import type { ServeAgentOptions } from '../bridge/serving/serve-agent.ts';
import type { ToolsetOptions } from '../bridge/toolset/toolset-options.ts';
import type { HttpOptions } from '../channels/http-client.ts';
import type { HttpServerOptions } from '../channels/http-server-options.ts';
import type { ServeHttpOptions } from '../channels/node-http-serve.ts';
import type { StdioOptions } from '../channels/stdio-client.ts';
import type { StdioServerOptions } from '../channels/stdio-server.ts';
import type { MemoryEventsOptions, MemoryStoreOptions } from '../eras/for-servers.ts';
import type { StateOptions } from '../eras/index.ts';
import type { ServerOptions } from '../server/server-options.ts';
import type { CacheOptions } from './cache.ts';
import type { AnswerModes, ClientOptions, RequestOptions, Timeouts } from './options.ts';

/** The same options, with undefined allowed wherever one may be left out. */
type Spelled<T> = { [K in keyof T]: T extends Record<K, T[K]> ? T[K] : T[K] | undefined };

describe('an option that may be left out may also be undefined', () => {
  it('for a client', () => {
    expectTypeOf<Spelled<ClientOptions>>().toExtend<ClientOptions>();
    expectTypeOf<Spelled<RequestOptions>>().toExtend<RequestOptions>();
    expectTypeOf<Spelled<Timeouts>>().toExtend<Timeouts>();
    expectTypeOf<Spelled<AnswerModes>>().toExtend<AnswerModes>();
    expectTypeOf<Spelled<CacheOptions>>().toExtend<CacheOptions>();
    expectTypeOf<Spelled<StdioOptions>>().toExtend<StdioOptions>();
    expectTypeOf<Spelled<HttpOptions>>().toExtend<HttpOptions>();
    expectTypeOf<Spelled<ToolsetOptions>>().toExtend<ToolsetOptions>();
  });
  it('for a server', () => {
    expectTypeOf<Spelled<ServerOptions>>().toExtend<ServerOptions>();
    expectTypeOf<Spelled<StdioServerOptions>>().toExtend<StdioServerOptions>();
    expectTypeOf<Spelled<HttpServerOptions>>().toExtend<HttpServerOptions>();
    expectTypeOf<Spelled<ServeHttpOptions>>().toExtend<ServeHttpOptions>();
    expectTypeOf<Spelled<StateOptions>>().toExtend<StateOptions>();
    expectTypeOf<Spelled<MemoryStoreOptions>>().toExtend<MemoryStoreOptions>();
    expectTypeOf<Spelled<MemoryEventsOptions>>().toExtend<MemoryEventsOptions>();
    expectTypeOf<Spelled<ServeAgentOptions<unknown, string>>>().toExtend<
      ServeAgentOptions<unknown, string>
    >();
  });
});

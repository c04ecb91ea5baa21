/** The client on both transports, to be bundled. */

export * from './http-client.mjs';
export * from './stdio-client.mjs';

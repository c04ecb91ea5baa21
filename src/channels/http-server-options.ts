/** The options of serving over HTTP, whatever the runtime, with their defaults. */
import { checkFunction, checkMilliseconds, checkNumber } from '../basics/option-checks.ts';
import { sketch } from '../basics/sketch.ts';
import type { Diagnostic, HttpAcceptOptions } from './channel.ts';
import type { Authenticate } from './http-server-auth.ts';
import type { Allowed } from './http-server-origin.ts';

export interface HttpServerOptions extends HttpAcceptOptions {
  /** Tells who is calling; without it everybody may, and nobody has a name. */
  readonly authenticate?: Authenticate | undefined;
  /**
   * Hosts by which this server may be addressed, `name` or `name:port`, or `'*'`. Without it a request that came over
   * loopback, as far as that is known, must name loopback; loopback names always pass.
   */
  readonly allowedHosts?: readonly string[] | '*' | undefined;
  /**
   * Origins of the web pages that may call, such as `https://app.example`, or `'*'`. Without it none may but pages of
   * this machine, to a server that is addressed as this machine.
   */
  readonly allowedOrigins?: readonly string[] | '*' | undefined;
  /** Answers web pages of allowed origins with CORS headers; true by default when `allowedOrigins` is given. */
  readonly cors?: boolean | undefined;
  /** The most bytes of a request's body; 4 MiB by default. */
  readonly bodyLimit?: number | undefined;
  /** How deep JSON may nest; 512 by default. */
  readonly depth?: number | undefined;
  /** Milliseconds between the comments that keep a quiet event stream alive; 15,000 by default. */
  readonly heartbeat?: number | undefined;
  /** Told of what went wrong and is nobody's answer. */
  readonly onDiagnostic?: ((diagnostic: Diagnostic) => void) | undefined;
}

/** Throws a TypeError that names the option that cannot be used. */
export function checkHttpOptions(where: string, options: HttpServerOptions): void {
  checkFunction(where, 'authenticate', options.authenticate);
  checkFunction(where, 'onDiagnostic', options.onDiagnostic);
  checkNumber(where, 'bodyLimit', options.bodyLimit, { integer: true, min: 1 });
  checkNumber(where, 'depth', options.depth, { integer: true, min: 1 });
  checkMilliseconds(where, 'heartbeat', options.heartbeat);
  checkAllowed(where, 'allowedHosts', options.allowedHosts);
  checkAllowed(where, 'allowedOrigins', options.allowedOrigins);
}

function checkAllowed(where: string, name: string, value: Allowed): void {
  if (value === undefined || value === '*') return;
  if (Array.isArray(value) && value.every(entry => typeof entry === 'string')) return;
  throw new TypeError(`${where}: ${name} must be an array of strings or "*", got ${sketch(value)}`);
}

/** What a web page of an allowed origin needs to be told before it may call, and to read the reply. */
import type { HttpAcceptor } from './channel.ts';

const methods = 'GET, POST, DELETE';
/** Headers of HTTP itself that clients send. */
const ordinary = ['Content-Type', 'Accept', 'Authorization'];

export class Cors {
  readonly #sent: readonly string[];
  readonly #exposed: string;

  constructor({ sent, exposed }: HttpAcceptor['headers']) {
    this.#sent = [...ordinary, ...sent];
    this.#exposed = [...exposed, 'WWW-Authenticate', 'Retry-After'].join(', ');
  }

  /** Headers of every reply to a page of this origin. */
  replyHeaders(origin: string): Record<string, string> {
    return {
      'Access-Control-Allow-Origin': origin,
      'Access-Control-Expose-Headers': this.#exposed,
      Vary: 'Origin',
    };
  }

  /** Headers of the answer to a preflight that asks to send `wanted`. */
  preflightHeaders(origin: string, wanted: string | undefined): Record<string, string> {
    const fixed = this.#sent.filter(name => !name.endsWith('*'));
    const asked = (wanted ?? '').split(',').map(name => name.trim());
    const open = asked.filter(name => this.#isOpen(name));
    return {
      ...this.replyHeaders(origin),
      'Access-Control-Allow-Methods': methods,
      'Access-Control-Allow-Headers': [...fixed, ...open].join(', '),
      'Access-Control-Max-Age': '600',
      Vary: 'Origin, Access-Control-Request-Headers',
    };
  }

  /** True for a name that one of the open-ended names stands for. */
  #isOpen(name: string): boolean {
    if (!/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(name)) return false;
    const lower = name.toLowerCase();
    return this.#sent.some(
      known => known.endsWith('*') && lower.startsWith(known.slice(0, -1).toLowerCase()),
    );
  }
}

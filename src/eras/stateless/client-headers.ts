/** Headers that a client of the stateless era sends: what the body says, mirrored, also from a tool's own arguments. */
import type { Diagnostic, SendOptions } from '../../channels/channel.ts';
import { readObject } from '../../protocol/identity.ts';
import type { Message, Params } from '../../rpc/message.ts';
import type { Dress } from '../dress.ts';
import { readAnnotations } from './header-annotations.ts';
import { encodeHeaderValue, headerNames, nameField, parameterHeaders } from './headers.ts';

type Headers = Readonly<Record<string, string>>;

const versionHeader = headerNames.version.toLowerCase();
const methodHeader = headerNames.method.toLowerCase();
const nameHeader = headerNames.name.toLowerCase();

/** Schemas with something to mirror that are remembered; a list has at most as many tools. */
const mostSchemas = 10_000;

/** One per connection. */
export class MirrorHeaders implements Dress {
  readonly #revision: string;
  readonly #nameParams: Headers;
  readonly #report: (diagnostic: Diagnostic) => void;
  /** Input schemas of the listed tools that have arguments to mirror. */
  readonly #schemas = new Map<string, unknown>();

  /** `nameParams`: of methods of extensions, the parameter that names what they are about. */
  constructor(revision: string, report: (diagnostic: Diagnostic) => void, nameParams: Headers = {}) {
    this.#revision = revision;
    this.#nameParams = nameParams;
    this.#report = report;
  }

  wear(message: Message, own: Headers | undefined): SendOptions {
    const headers: Record<string, string> = { ...own, [versionHeader]: this.#revision };
    if (!('method' in message)) return { headers };
    const { method, params } = message;
    headers[methodHeader] = method;
    const field = nameField(method, this.#nameParams);
    const name = field === undefined ? undefined : params?.[field];
    if (typeof name !== 'string') return { headers };
    headers[nameHeader] = encodeHeaderValue(name);
    const schema = method === 'tools/call' ? this.#schemas.get(name) : undefined;
    if (schema !== undefined) Object.assign(headers, parameterHeaders(schema, params?.['arguments']));
    return { headers };
  }

  /**
   * Takes note of what the tools of one page want mirrored. Gives the page without the tools that ask for it in a way
   * that is not valid: they cannot be called, and each is reported.
   */
  learn(page: Params): Params {
    const { tools } = page;
    if (!Array.isArray(tools)) return page;
    const usable = tools.filter(tool => this.#take(readObject(tool)));
    return usable.length === tools.length ? page : { ...page, tools: usable };
  }

  #take({ name, inputSchema }: Params): boolean {
    if (typeof name !== 'string') return true;
    const read = readAnnotations(inputSchema);
    if (!read.ok) {
      const message = `tools/list: the tool "${name}" was dropped: ${read.reason}`;
      this.#report({ kind: 'tool-dropped', message });
      return false;
    }
    if (read.headers.length === 0) this.#schemas.delete(name);
    else if (this.#schemas.size < mostSchemas) this.#schemas.set(name, inputSchema);
    return true;
  }
}

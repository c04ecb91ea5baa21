/** A server: what it offers and says of itself, for any number of connections in every era at once. */
import type { Catalogued } from '../protocol/tool-catalogue.ts';
import type { AnyTool, ShapeOf } from '../tools/tool.ts';
import { Endpoint } from './endpoint.ts';
import { Offering } from './offering.ts';
import type { Offered, ServerOptions } from './server-options.ts';

/** What a client can know of these tools. */
type CatalogueOf<Tools extends readonly AnyTool[]> = {
  readonly [T in Tools[number] as T['name']]: ShapeOf<T>;
};

/**
 * A definition without state per connection: serve it over stdio, connect to it in memory, or both. Throws a TypeError
 * that names the tool, resource or prompt that cannot be offered.
 */
export class Server<const Tools extends readonly AnyTool[] = readonly AnyTool[]>
  extends Endpoint
  implements Catalogued<CatalogueOf<Tools>>
{
  /** Types the calls of a client that connects to this server. */
  declare readonly '~catalogue'?: CatalogueOf<Tools>;
  readonly #offering: Offering;

  constructor(options: ServerOptions<Tools>) {
    const offering = new Offering(options);
    super(offering, { label: `server ${options.name}`, state: options.state });
    this.#offering = offering;
  }

  /**
   * Puts others in the place of the tools, resources or prompts so far, as far as they are given, and tells whoever
   * listens. Throws as the constructor does, and then nothing has changed.
   */
  update(change: Offered): void {
    this.#offering.update(change);
  }

  /** Tells whoever watches the resource at `uri`, or one above it, that what it holds has changed. */
  changed(uri: string): void {
    this.#offering.tell({ kind: 'resource', uri });
  }
}

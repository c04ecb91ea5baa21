/** The tools of a server, frozen: what is listed, and what is needed to run each; made anew on every change. */

import { messageOf } from '../basics/failure.ts';
import { keepPrinted } from '../basics/json.ts';
import type { ToolListing } from '../protocol/tool-listing.ts';
import type { Params } from '../rpc/message.ts';
import { type CompiledSchema, compileSchema } from '../schema/compile.ts';
import { checkTool } from '../tools/check-tool.ts';
import type { AnyTool } from '../tools/tool.ts';

/** A tool that is ready to run. */
export interface RegisteredTool {
  readonly tool: AnyTool;
  readonly input: CompiledSchema;
  readonly output: CompiledSchema | undefined;
  readonly listing: ToolListing;
}

export class ToolRegistry {
  readonly #tools = new Map<string, RegisteredTool>();
  readonly #pages: readonly Params[];

  /** Throws a TypeError that names the tool when a name comes twice or a schema cannot be used. */
  constructor(tools: readonly AnyTool[], pageSize: number, generation: number) {
    for (const [index, tool] of tools.entries()) {
      checkTool('Server', tool, index);
      if (this.#tools.has(tool.name)) {
        throw new TypeError(`tools: the name "${tool.name}" is given twice; each tool needs one of its own`);
      }
      this.#tools.set(tool.name, register(tool));
    }
    this.#pages = paginate([...this.#tools.values()], pageSize, generation);
  }

  get(name: string): RegisteredTool | undefined {
    return this.#tools.get(name);
  }

  get names(): Iterable<string> {
    return this.#tools.keys();
  }

  /** One page of the list; nothing when the cursor is not one that this list gave out. */
  page(cursor: string | undefined): Params | undefined {
    if (cursor === undefined) return this.#pages[0];
    return this.#pages.slice(1).find((_page, index) => this.#pages[index]?.['nextCursor'] === cursor);
  }
}

function register(tool: AnyTool): RegisteredTool {
  let input: CompiledSchema;
  let output: CompiledSchema | undefined;
  try {
    input = compileSchema(tool.input, { root: 'object', io: 'input' });
    output = tool.output === undefined ? undefined : compileSchema(tool.output, { io: 'output' });
  } catch (cause) {
    throw new TypeError(`tool "${tool.name}": its schema cannot be used: ${messageOf(cause)}`, { cause });
  }
  return { tool, input, output, listing: list(tool, input, output) };
}

function list(tool: AnyTool, input: CompiledSchema, output: CompiledSchema | undefined): ToolListing {
  const { name, title, description, annotations, icons, _meta } = tool;
  return {
    name,
    ...(title === undefined ? {} : { title }),
    description,
    inputSchema: input.json,
    ...(output === undefined ? {} : { outputSchema: output.json }),
    ...(annotations === undefined ? {} : { annotations }),
    ...(icons === undefined ? {} : { icons }),
    ...(_meta === undefined ? {} : { _meta }),
  };
}

/** Each page is one object for as long as the list lasts, so that it is printed once however often it is sent. */
function paginate(tools: readonly RegisteredTool[], size: number, generation: number): readonly Params[] {
  const count = Math.max(1, Math.ceil(tools.length / size));
  return Array.from({ length: count }, (_none, page) => {
    const listings = tools.slice(page * size, (page + 1) * size).map(({ listing }) => listing);
    const more = page + 1 < count;
    // Opaque to clients. It holds for this list alone: after a change it is refused rather than read wrongly.
    const nextCursor = btoa(`${generation}:${page + 1}`);
    return Object.freeze(keepPrinted(more ? { tools: listings, nextCursor } : { tools: listings }));
  });
}

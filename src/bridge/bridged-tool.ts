/** One tool of a server as a tool of an agent: name, description and schema verbatim, calls passed on. */
import type { Client } from '../client/client.ts';
import type { ToolListing } from '../protocol/tool-listing.ts';
import type { ToolContext } from '../tools/context.ts';
import type { AnyTool, ToolResult } from '../tools/tool.ts';
import { toReadableResult } from './tool-content.ts';

/**
 * The tool. A result that reports a failure stays one, which an agent feeds back to the model; a refusal of the
 * protocol, a lost connection, a time limit and an abort are thrown, which ends the run.
 */
export function bridgeTool(listing: ToolListing, client: Pick<Client, 'call'>): AnyTool {
  const { name, title, description, inputSchema, annotations, icons, _meta } = listing;
  const run = async (args: Readonly<Record<string, unknown>>, ctx: ToolContext): Promise<ToolResult> => {
    const result = await client.call(name, args, {
      signal: ctx.signal,
      onProgress: ({ progress, ...detail }) => ctx.progress(progress, detail),
    });
    return named(toReadableResult(result), name);
  };
  return Object.freeze({
    name,
    ...(title === undefined ? {} : { title }),
    description: description ?? '',
    input: inputSchema,
    ...(annotations === undefined ? {} : { annotations }),
    ...(icons === undefined ? {} : { icons }),
    ...(_meta === undefined ? {} : { _meta }),
    run,
  });
}

/** A failure without a word would leave the model with nothing to mend. */
function named(readable: ToolResult, name: string): ToolResult {
  const silent = readable.isError === true && readable.structuredContent === undefined && isBlank(readable);
  return silent
    ? { ...readable, content: [{ type: 'text', text: `The tool ${name} failed and does not say why.` }] }
    : readable;
}

function isBlank({ content }: ToolResult): boolean {
  return content.every(block => block.type === 'text' && block.text.trim() === '');
}

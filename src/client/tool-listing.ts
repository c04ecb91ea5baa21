/** Reads a server's list of tools: what is odd is mended, what cannot be used is dropped alone and named. */
import { isObject } from '../basics/json.ts';
import type { Diagnostic } from '../channels/channel.ts';
import type { ToolListing } from '../protocol/tool-listing.ts';
import type { Params } from '../rpc/message.ts';
import type { JsonSchemaObject } from '../schema/schema.ts';

type Report = (diagnostic: Diagnostic) => void;

/** The usable tools of one page. `names` holds the names seen on earlier pages and grows. */
export function readTools(page: Params, names: Set<string>, report: Report): ToolListing[] {
  const { tools } = page;
  if (!Array.isArray(tools)) {
    report({ kind: 'odd-list', message: 'tools/list: the result has no array "tools"; it counts as empty' });
    return [];
  }
  return tools.flatMap((raw, index) => {
    const tool = readTool(raw, index, report);
    if (!tool) return [];
    if (names.has(tool.name)) {
      const message = `tools/list: a second tool named "${tool.name}" was dropped`;
      report({ kind: 'tool-dropped', message, data: tool.name });
      return [];
    }
    names.add(tool.name);
    return [tool];
  });
}

function readTool(raw: unknown, index: number, report: Report): ToolListing | undefined {
  if (!isObject(raw) || typeof raw['name'] !== 'string' || raw['name'] === '') {
    report({ kind: 'tool-dropped', message: `tools/list: entry ${index} has no name and was dropped` });
    return undefined;
  }
  const { name, title, description, inputSchema, outputSchema, annotations, icons, _meta, ...rest } = raw;
  const mended: string[] = [];
  const optional = <Value>(key: string, value: unknown, fits: (value: unknown) => value is Value): object => {
    if (fits(value)) return { [key]: value };
    if (value !== undefined) mended.push(key);
    return {};
  };
  const tool = {
    ...rest,
    name,
    ...optional('title', title, isString),
    ...optional('description', description, isString),
    inputSchema: readInputSchema(inputSchema, mended),
    ...optional('outputSchema', outputSchema, isObject),
    ...optional('annotations', annotations, isObject),
    ...optional('icons', icons, isObjects),
    ...optional('_meta', _meta, isObject),
  } as ToolListing;
  if (mended.length > 0) {
    const message = `tools/list: the tool "${name}" is used without or with a mended ${mended.join(', ')}`;
    report({ kind: 'tool-mended', message });
  }
  return tool;
}

/** Arguments are an object whatever the schema leaves out; what it says beyond that is kept. */
function readInputSchema(schema: unknown, mended: string[]): JsonSchemaObject {
  if (!isObject(schema)) {
    mended.push('inputSchema');
    return { type: 'object', properties: {} };
  }
  const { type, properties } = schema;
  const typeFits = type === 'object';
  const propertiesFit = properties === undefined || isObject(properties);
  if (typeFits && propertiesFit) return schema;
  mended.push('inputSchema');
  const { properties: _odd, ...others } = schema;
  return { ...others, type: 'object', ...(propertiesFit && properties !== undefined ? { properties } : {}) };
}

function isString(value: unknown): value is string {
  return typeof value === 'string';
}

function isObjects(value: unknown): value is readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) && value.every(isObject);
}

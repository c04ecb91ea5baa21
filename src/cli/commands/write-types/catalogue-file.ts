/** The text of the file that `tenon types` writes: an interface of the tools, and their catalogue. */
import { fingerprintOf } from '../../../client/catalogue.ts';
import type { ToolListing } from '../../../protocol/tool-listing.ts';
import { typesOfSchema } from './schema-types.ts';
import { docComment, indent, memberName, pascalCase, quote } from './type-text.ts';

export interface CatalogueFile {
  readonly text: string;
  /** What it exports. */
  readonly interfaceName: string;
  readonly constantName: string;
}

/** Names that the file has uses for, or that a constant cannot have. */
const reserved = new Set(
  (
    'Catalogue catalogue break case catch class const continue debugger default delete do else enum export extends ' +
    'false finally for function if import in instanceof new null return super switch this throw true try typeof var ' +
    'void while with as implements interface let package private protected public static yield await async of ' +
    'arguments eval undefined any unknown never string number boolean symbol object bigint'
  ).split(' '),
);

/**
 * The same text for the same tools, in whatever order they come. `name` is the interface's; a name that cannot be one is
 * made one.
 */
export function writeCatalogueFile(name: string, tools: readonly ToolListing[]): CatalogueFile {
  const interfaceName = freeName(pascalCase(name) || 'Tools');
  const constantName = freeName(interfaceName.charAt(0).toLowerCase() + interfaceName.slice(1));
  const taken = new Set([interfaceName, constantName, 'Catalogue']);
  const members: string[] = [];
  const declarations: (readonly string[])[] = [];
  const ordered = [...tools].sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const tool of ordered) {
    const prefix = interfaceName + pascalCase(tool.name);
    const args = typesOfSchema(tool.inputSchema, `${prefix}Args`, taken);
    const structured = tool.outputSchema && typesOfSchema(tool.outputSchema, `${prefix}Structured`, taken);
    declarations.push(...args.declarations, ...(structured?.declarations ?? []));
    members.push(
      ...docComment(tool.description ?? tool.title),
      `readonly ${memberName(tool.name)}: {`,
      ...indent(`readonly args: ${args.type};`.split('\n')),
      ...indent(`readonly structured: ${structured?.type ?? 'unknown'};`.split('\n')),
      '};',
    );
  }
  const lines = [
    '// Written by `tenon types`. Do not edit: write it anew when the tools have changed.',
    "import { type Catalogue, catalogue } from 'tenon/client';",
    '',
    ...declarations.flatMap(declaration => [...declaration, '']),
    '/** What each tool takes, and what its structured result is. */',
    `export interface ${interfaceName} {`,
    ...indent(members),
    '}',
    '',
    `/** For \`connect(target, { catalogue: ${constantName} })\`: types its calls, and tells of tools that have changed. */`,
    `export const ${constantName}: Catalogue<${interfaceName}> = catalogue<${interfaceName}>({`,
    ...indent(ordered.map(tool => `${keyOf(tool.name)}: ${quote(fingerprintOf(tool))},`)),
    '});',
    '',
  ];
  return { text: lines.join('\n'), interfaceName, constantName };
}

function freeName(name: string): string {
  return reserved.has(name) ? `${name}Tools` : name;
}

/** The key of an object literal; one name would set the prototype instead. */
function keyOf(name: string): string {
  return name === '__proto__' ? `['__proto__']` : memberName(name);
}

/** JSON Schema to TypeScript: the type of the values that a schema describes; bounded, and never text that does not parse. */
import { isObject } from '../../../basics/json.ts';
import { type References, trackReferences } from '../../../schema/references.ts';
import {
  impliedTypes,
  isSaidElsewhere,
  isString,
  leadsBack,
  list,
  literalsOf,
  plainTypes,
  targetOf,
} from './schema-keywords.ts';
import {
  arrayOf,
  docComment,
  indent,
  intersectionOf,
  memberName,
  neverType,
  pascalCase,
  restOf,
  type TypeText,
  unionOf,
  unknownType,
  whole,
} from './type-text.ts';

type Json = Readonly<Record<string, unknown>>;

/** What one schema came to. */
export interface SchemaTypes {
  readonly type: string;
  /** Declarations of what it refers to, each the lines of one. */
  readonly declarations: readonly (readonly string[])[];
}

interface Named {
  readonly name: string;
  readonly schema: Json;
}

/** How deep types nest, and how many schemas of one document are looked at; beyond, they are `unknown`. */
const deepest = 24;
const mostSchemas = 5000;
const longestTuple = 50;

/**
 * The type of a schema. What it refers to gets a name that begins with `prefix`; `taken` holds the names that are given
 * already, and grows. Members are in the order of their names. Objects that do not speak of further members are closed,
 * so that a member that is misspelt is noticed.
 */
export function typesOfSchema(schema: unknown, prefix: string, taken: Set<string>): SchemaTypes {
  const writer = new Writer(schema, prefix, taken);
  const { text } = writer.typeOf(schema, 0);
  return { type: text, declarations: writer.declarations() };
}

class Writer {
  readonly #references: References;
  readonly #prefix: string;
  readonly #taken: Set<string>;
  /** Names of what is referred to, by its schema. */
  readonly #names = new Map<unknown, string>();
  /** Those that are still to be written: one at a time, since they may lead from one to the next without end. */
  readonly #waiting: Named[] = [];
  #left = mostSchemas;

  constructor(root: unknown, prefix: string, taken: Set<string>) {
    this.#references = trackReferences(root, {}, '$id');
    this.#prefix = prefix;
    this.#taken = taken;
  }

  /** One for each name that was given so far, in the order of the names. */
  declarations(): readonly (readonly string[])[] {
    const written = new Map<string, readonly string[]>();
    for (const { name, schema } of this.#waiting) {
      // What leads in a circle says nothing, and TypeScript refuses it.
      const { text } = leadsBack(schema, this.#references) ? unknownType : this.typeOf(schema, 0);
      written.set(name, [...docComment(schema['description']), ...`type ${name} = ${text};`.split('\n')]);
    }
    return [...written].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, lines]) => lines);
  }

  typeOf(schema: unknown, depth: number): TypeText {
    this.#left -= 1;
    if (schema === false) return neverType;
    if (!isObject(schema) || depth > deepest || this.#left < 0) return unknownType;
    const parts = [
      ...this.#referred(schema),
      ...literalsOf(schema),
      ...this.#ownTypes(schema, depth),
      ...list(schema['allOf']).map(each => this.typeOf(each, depth + 1)),
      ...['anyOf', 'oneOf'].flatMap(keyword => {
        const branches = list(schema[keyword]);
        return branches.length === 0 ? [] : [unionOf(branches.map(each => this.typeOf(each, depth + 1)))];
      }),
    ];
    const type = intersectionOf(parts);
    return schema['nullable'] === true ? unionOf([type, whole('null')]) : type;
  }

  /** The name of what `$ref` leads to; its declaration is written once. */
  #referred(schema: Json): TypeText[] {
    const target = targetOf(schema, this.#references);
    if (target === undefined) return [];
    // A boolean.
    if (!isObject(target.schema)) return [this.typeOf(target.schema, 0)];
    const known = this.#names.get(target.schema);
    if (known !== undefined) return [whole(known)];
    const name = this.#newName(target.pointer);
    this.#names.set(target.schema, name);
    this.#waiting.push({ name, schema: target.schema });
    return [whole(name)];
  }

  #newName(pointer: string): string {
    const base = this.#prefix + pascalCase(pointer.split('/').slice(1).at(-1) ?? '');
    let name = base;
    for (let number = 2; this.#taken.has(name); number += 1) name = `${base}${number}`;
    this.#taken.add(name);
    return name;
  }

  /** What `type` says; what members or items say where it is left out. */
  #ownTypes(schema: Json, depth: number): TypeText[] {
    const { type } = schema;
    if (literalsOf(schema).length > 0) return [];
    const names = typeof type === 'string' ? [type] : list(type).filter(isString);
    const types = names.length > 0 ? names : impliedTypes(schema);
    if (types.length === 0 || (types.join() === 'object' && isSaidElsewhere(schema))) return [];
    return [unionOf(types.map(each => this.#ofType(each, schema, depth)))];
  }

  #ofType(type: string, schema: Json, depth: number): TypeText {
    if (type === 'object') return this.#object(schema, depth);
    if (type === 'array') return this.#array(schema, depth);
    return plainTypes.get(type) ?? unknownType;
  }

  #array(schema: Json, depth: number): TypeText {
    const { items, prefixItems, additionalItems, minItems } = schema;
    const listed = Array.isArray(prefixItems) ? prefixItems : items;
    if (!Array.isArray(listed) || listed.length > longestTuple || listed.length === 0) {
      const each = Array.isArray(listed)
        ? unionOf(listed.map(one => this.typeOf(one, depth + 1)))
        : undefined;
      return arrayOf(each ?? this.typeOf(items ?? true, depth + 1));
    }
    const rest = Array.isArray(prefixItems) ? items : additionalItems;
    const least = typeof minItems === 'number' ? minItems : 0;
    const parts = listed.map((one, index) => {
      const type = this.typeOf(one, depth + 1);
      return index < least ? type.text : `${type.form === 'whole' ? type.text : `(${type.text})`}?`;
    });
    const more = rest === true || isObject(rest) ? [restOf(this.typeOf(rest, depth + 1))] : [];
    return { text: `readonly [${[...parts, ...more].join(', ')}]`, form: 'array' };
  }

  #object(schema: Json, depth: number): TypeText {
    const properties = isObject(schema['properties']) ? schema['properties'] : {};
    const required = new Set(list(schema['required']).filter(isString));
    const names = [...new Set([...Object.keys(properties), ...required])].sort();
    const members = names.flatMap(name => {
      const member = Object.hasOwn(properties, name) ? properties[name] : true;
      const comment = isObject(member) ? docComment(member['description'] ?? member['title']) : [];
      const { text } = this.typeOf(member, depth + 1);
      return [...comment, `readonly ${memberName(name)}${required.has(name) ? '' : '?'}: ${text};`];
    });
    const further = this.#furtherMembers(schema, names.length, depth);
    const lines = [...members, ...(further === undefined ? [] : [`readonly [key: string]: ${further};`])];
    if (lines.length === 0) return whole('{ readonly [key: string]: never }');
    if (lines.length === 1 && !lines[0]?.includes('\n')) {
      return whole(`{ ${lines[0]?.replace(/;$/, '')} }`);
    }
    return whole(['{', ...indent(lines.flatMap(line => line.split('\n'))), '}'].join('\n'));
  }

  /** The type of members that have no name of their own; undefined when there are none. */
  #furtherMembers(schema: Json, named: number, depth: number): string | undefined {
    const { additionalProperties: more, patternProperties } = schema;
    const patterns = isObject(patternProperties) ? Object.values(patternProperties) : [];
    const open = more === true || isObject(more) || (more === undefined && named === 0);
    if (!open && patterns.length === 0) return undefined;
    // An index signature must take every member beside it.
    if (named > 0) return 'unknown';
    const types = [...patterns, ...(open ? [more ?? true] : [])].map(each => this.typeOf(each, depth + 1));
    return unionOf(types).text;
  }
}

/** Where each schema inside a schema stands, and where its references lead. */
import { isObject } from '../../basics/json.ts';
import { readDialect } from '../../schema/dialect.ts';
import { escapePointer, keywordOf, schemasIn } from '../../schema/keywords.ts';
import { rootUri, type Target, trackReferences } from '../../schema/references.ts';

/** A schema as it is read here: an object; children are still as their author wrote them. */
export type Node = Readonly<Record<string, unknown>>;

/** Where a schema stands: its JSON Pointer, and the URI its references start from. */
export type Place = Pick<Target, 'pointer' | 'base'>;

export interface SchemaIndex {
  /** How many schemas there are. */
  readonly size: number;
  /** Undefined for a schema that was made on the way. */
  placeOf(schema: unknown): Place | undefined;
  /** Where a reference leads; undefined when it leads nowhere. */
  find(reference: string, base: string): Target | undefined;
}

/** Reads a schema once, in time linear in its size. Nothing outside it is known. */
export function indexSchema(root: unknown): SchemaIndex {
  const dialect = isObject(root) ? readDialect(root) : undefined;
  const references = trackReferences(root, {}, dialect === 'draft-04' ? 'id' : '$id');
  const places = new Map<unknown, Place>();
  const anchors = new Set<unknown>();
  const unclear = new Set<unknown>();
  enter({ schema: root, pointer: '', base: rootUri });

  function enter(target: Target): void {
    const open = [target];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const { schema, pointer, base: outer } = next;
      if (!isObject(schema) || places.has(schema)) continue;
      const base = references.add(schema, pointer, outer);
      places.set(schema, { pointer, base });
      for (const anchor of [schema['$anchor'], schema['$dynamicAnchor']]) {
        if (anchors.has(anchor)) unclear.add(anchor);
        else if (anchor !== undefined) anchors.add(anchor);
      }
      for (const [name, value] of Object.entries(schema)) {
        const holds = keywordOf(name)?.holds;
        if (holds === undefined || value === undefined) continue;
        const at = `${pointer}/${escapePointer(name)}`;
        for (const [rest, inner] of schemasIn(holds, value)) {
          open.push({ schema: inner, pointer: `${at}${rest}`, base });
        }
      }
    }
  }
  return {
    get size() {
      return places.size;
    },
    placeOf: schema => places.get(schema),
    find(reference, base) {
      // Of two anchors with one name, each reader takes another.
      if (unclear.has(reference.slice(reference.indexOf('#') + 1))) return undefined;
      const found = references.find(reference, base);
      if (found === undefined) return undefined;
      const target = { ...found, pointer: found.pointer.replace(/^#/, '') };
      enter(target);
      return target;
    },
  };
}

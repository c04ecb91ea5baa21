/** What `$ref` can point at: resources by URI, anchors by name, places by JSON pointer. Never the network. */
import { isObject } from '../basics/json.ts';
import { isSchema } from './keywords.ts';
import type { JsonSchemaObject } from './schema.ts';

/** Where a schema that names no URI is taken to be. */
export const rootUri = 'schema:/';

/** Schemas that may be referred to, by URI. */
export type Remotes = Readonly<Record<string, unknown>>;

/** Where a reference leads: the schema, its pointer for messages, and the URI its own references start from. */
export interface Target {
  readonly schema: unknown;
  readonly pointer: string;
  readonly base: string;
}

/** `reference` as an absolute URI. */
function resolveUri(reference: string, base: string): string {
  if (URL.canParse(reference, base)) return new URL(reference, base).href;
  // A base without a path, such as a URN, takes only fragments.
  return reference.startsWith('#') ? `${withoutFragment(base)}${reference}` : `${rootUri}${reference}`;
}

/** The URI up to its fragment. */
function withoutFragment(uri: string): string {
  const hash = uri.indexOf('#');
  return hash === -1 ? uri : uri.slice(0, hash);
}

/** The resources and anchors met so far, and the remotes that were supplied. */
export interface References {
  /** Notes the `$id` and the anchors of a schema; returns the base URI for what is inside it. */
  add(schema: JsonSchemaObject, pointer: string, base: string): string;
  /** Where `reference` leads from a place whose base is `base`; undefined when nothing is known there. */
  find(reference: string, base: string): Target | undefined;
  /** The remotes that `find` came upon since the last call; their schemas are to be added too. */
  takeLoaded(): readonly Target[];
  /** True when some schema carries this `$dynamicAnchor` or `$anchor`, in whatever resource. */
  hasAnchor(name: string): boolean;
}

/**
 * Starts with nothing but the root. `idKeyword` is `id` for draft-04, `$id` for every other dialect. In drafts up to 07
 * (`older`) an id beside a `$ref` says nothing.
 */
export function trackReferences(
  root: unknown,
  remotes: Remotes,
  idKeyword: 'id' | '$id',
  older = false,
): References {
  const resources = new Map<string, Target>([[rootUri, { schema: root, pointer: '#', base: rootUri }]]);
  const anchors = new Map<string, Target>();
  const names = new Set<string>();
  const loaded: Target[] = [];
  const supplied = new Map(Object.entries(remotes).map(([uri, schema]) => [withoutFragment(uri), schema]));

  function add(schema: JsonSchemaObject, pointer: string, outer: string): string {
    let base = outer;
    const id = schema[idKeyword];
    if (typeof id === 'string' && !(older && schema['$ref'] !== undefined)) {
      const uri = resolveUri(id, outer);
      // Up to draft-07 an `$id` of only a fragment is an anchor.
      if (id.startsWith('#')) anchors.set(uri, { schema, pointer, base: outer });
      else {
        base = withoutFragment(uri);
        if (!resources.has(base)) resources.set(base, { schema, pointer, base });
      }
    }
    for (const anchor of [schema['$anchor'], schema['$dynamicAnchor']]) {
      if (typeof anchor !== 'string') continue;
      names.add(anchor);
      anchors.set(`${base}#${anchor}`, { schema, pointer, base });
    }
    return base;
  }

  function resource(uri: string): Target | undefined {
    const known = resources.get(uri);
    if (known !== undefined || !supplied.has(uri)) return known;
    const target: Target = { schema: supplied.get(uri), pointer: `${uri}#`, base: uri };
    resources.set(uri, target);
    loaded.push(target);
    return target;
  }

  function find(reference: string, base: string): Target | undefined {
    const uri = resolveUri(reference, base);
    const from = resource(withoutFragment(uri));
    const fragment = decodeFragment(uri);
    if (fragment === undefined) return undefined;
    if (from !== undefined && fragment === '') return from;
    if (from !== undefined && fragment.startsWith('/')) return pointAt(from, fragment, idKeyword);
    return anchors.get(`${withoutFragment(uri)}#${fragment}`);
  }

  return { add, find, takeLoaded: () => loaded.splice(0), hasAnchor: name => names.has(name) };
}

function decodeFragment(uri: string): string | undefined {
  const hash = uri.indexOf('#');
  if (hash === -1) return '';
  try {
    return decodeURIComponent(uri.slice(hash + 1));
  } catch {
    return undefined;
  }
}

function pointAt(from: Target, fragment: string, idKeyword: 'id' | '$id'): Target | undefined {
  let at: unknown = from.schema;
  let base = from.base;
  for (const part of fragment.slice(1).split('/')) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Record<string, unknown>)[key];
    const id = isObject(at) ? at[idKeyword] : undefined;
    if (typeof id === 'string' && !id.startsWith('#')) base = withoutFragment(resolveUri(id, base));
  }
  return isSchema(at) ? { schema: at, pointer: `${from.pointer}${fragment}`, base } : undefined;
}

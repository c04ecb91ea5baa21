/** Reads lists of resources, templates and prompts: what is odd is left out or dropped alone, and named. */
import { isObject } from '../basics/json.ts';
import type { Diagnostic } from '../channels/channel.ts';
import type { PromptListing, ResourceListing, ResourceTemplateListing } from '../protocol/listings.ts';
import type { Params } from '../rpc/message.ts';

type Report = (diagnostic: Diagnostic) => void;
type Fits = (value: unknown) => boolean;

/** How the entries of one list are read. */
interface Shape {
  readonly method: string;
  readonly member: string;
  /** What tells one entry from another. */
  readonly key: string;
  readonly optional: Readonly<Record<string, Fits>>;
}

const isString: Fits = value => typeof value === 'string';
const isNumber: Fits = value => typeof value === 'number';
const areObjects: Fits = value => Array.isArray(value) && value.every(isObject);
const common = { title: isString, description: isString, icons: areObjects, _meta: isObject };
const described = { ...common, mimeType: isString, annotations: isObject };

const shapes: { readonly [Kind in 'resources' | 'templates' | 'prompts']: Shape } = {
  resources: {
    method: 'resources/list',
    member: 'resources',
    key: 'uri',
    optional: { ...described, size: isNumber },
  },
  templates: {
    method: 'resources/templates/list',
    member: 'resourceTemplates',
    key: 'uriTemplate',
    optional: described,
  },
  prompts: {
    method: 'prompts/list',
    member: 'prompts',
    key: 'name',
    optional: {
      ...common,
      arguments: args => areObjects(args) && (args as Params[]).every(each => isString(each['name'])),
    },
  },
};

/** Begins to read a list: what it returns gives the usable entries of one page after another. */
export function readResources(report: Report): (page: Params) => ResourceListing[] {
  return reader<ResourceListing>(shapes.resources, report);
}

export function readTemplates(report: Report): (page: Params) => ResourceTemplateListing[] {
  return reader<ResourceTemplateListing>(shapes.templates, report);
}

export function readPrompts(report: Report): (page: Params) => PromptListing[] {
  return reader<PromptListing>(shapes.prompts, report);
}

function reader<Item>(shape: Shape, report: Report): (page: Params) => Item[] {
  const seen = new Set<string>();
  const { method, member, key } = shape;
  return page => {
    const entries = page[member];
    if (!Array.isArray(entries)) {
      const message = `${method}: the result has no array "${member}"; it counts as empty`;
      report({ kind: 'odd-list', message });
      return [];
    }
    return entries.flatMap((raw: unknown, index) => {
      const id = isObject(raw) ? raw[key] : undefined;
      if (!isObject(raw) || typeof id !== 'string' || id === '') {
        report({ kind: 'entry-dropped', message: `${method}: entry ${index} has no ${key} and was dropped` });
        return [];
      }
      if (seen.has(id)) {
        report({ kind: 'entry-dropped', message: `${method}: a second entry for "${id}" was dropped` });
        return [];
      }
      seen.add(id);
      return [readEntry(raw, id, shape, report) as Item];
    });
  };
}

function readEntry(raw: Params, id: string, { method, optional }: Shape, report: Report): object {
  const odd = Object.keys(optional).filter(name => raw[name] !== undefined && !optional[name]?.(raw[name]));
  const nameless = typeof raw['name'] !== 'string';
  const mended = nameless ? ['name', ...odd] : odd;
  if (mended.length > 0) {
    const message = `${method}: the entry "${id}" is used without or with a mended ${mended.join(', ')}`;
    report({ kind: 'entry-mended', message });
  }
  const kept = Object.entries(raw).filter(([name]) => !odd.includes(name));
  return { ...Object.fromEntries(kept), ...(nameless ? { name: id } : {}) };
}

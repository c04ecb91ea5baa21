/** A resource: one URI, or a family of them by a template, and how to read it. */
import { checkFunction, checkText } from '../basics/option-checks.ts';
import type { Freshness } from '../protocol/call.ts';
import type { ResourceListing } from '../protocol/listings.ts';
import { parseTemplate } from '../protocol/uri-template.ts';
import type { Annotations } from '../tools/content.ts';
import type { ToolContext } from '../tools/context.ts';
import type { NeedInput } from '../tools/need-input.ts';
import type { Completers, ListContext } from './completer.ts';
import { type MakeOffer, offers } from './offer.ts';
import { offerResources } from './resource-offer.ts';

/** A part of what is read: a text, or bytes (or base64) as `blob`. URI and media type are the resource's unless said. */
export type ResourcePart =
  | {
      readonly text: string;
      readonly uri?: string;
      readonly mimeType?: string;
      readonly _meta?: Readonly<Record<string, unknown>>;
    }
  | {
      readonly blob: Uint8Array | string;
      readonly uri?: string;
      readonly mimeType?: string;
      readonly _meta?: Readonly<Record<string, unknown>>;
    };

/** What `read` may give back: text, bytes, parts, or nothing at all when there is no such resource. */
export type ResourceReturn =
  | string
  | Uint8Array
  | ResourcePart
  | readonly ResourcePart[]
  | {
      readonly contents: readonly ResourcePart[];
      readonly freshness?: Freshness;
      readonly _meta?: Readonly<Record<string, unknown>>;
    }
  | NeedInput
  | undefined;

/** What `read` can see and do: all that a tool can, and the URI that was asked for. */
export interface ResourceContext extends ToolContext {
  readonly uri: string;
}

interface ResourceFacts {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  /** Of what is read, unless it says otherwise; `text/plain` for text, `application/octet-stream` for bytes. */
  readonly mimeType?: string;
  readonly annotations?: Annotations;
  readonly icons?: readonly Readonly<Record<string, unknown>>[];
  readonly _meta?: Readonly<Record<string, unknown>>;
  /** How long clients may keep what was read; the server's own hint by default. */
  readonly freshness?: Freshness;
}

/** A resource at one URI. */
export interface ResourceOptions extends ResourceFacts {
  readonly uri: string;
  /** Bytes, when known. */
  readonly size?: number;
  readonly read: (ctx: ResourceContext) => ResourceReturn | Promise<ResourceReturn>;
}

/** Resources at every URI that a template stands for. */
export interface ResourceTemplateOptions<Template extends string> extends ResourceFacts {
  /** RFC 6570, such as `notes://{folder}/{+path}`. Values are matched in linear time and come decoded. */
  readonly template: Template;
  readonly read: (
    values: TemplateVariables<Template>,
    ctx: ResourceContext,
  ) => ResourceReturn | Promise<ResourceReturn>;
  /** Suggests values, by the name of the variable. */
  readonly complete?: Completers;
  /** Members of the family that stand in the list of resources. */
  readonly list?: (ctx: ListContext) => readonly ResourceListing[] | Promise<readonly ResourceListing[]>;
  /**
   * Refuses values that lead out of a folder: `..`, absolute paths, NUL, encoded or not. On by default; turn it off
   * only where values never become part of a path.
   */
  readonly screen?: boolean;
}

/** A defined resource or family of resources. */
export interface Resource extends ResourceFacts {
  readonly uri?: string;
  readonly template?: string;
  readonly size?: number;
  readonly complete?: Completers;
  readonly list?: (ctx: ListContext) => readonly ResourceListing[] | Promise<readonly ResourceListing[]>;
  readonly screen?: boolean;
  readonly read: (values: never, ctx: ResourceContext) => unknown;
  readonly [offers]: MakeOffer<Resource>;
}

/** The variables of a template by name: a list where it has `*`, maybe absent where it may be left out. */
export type TemplateVariables<Template extends string> = string extends Template
  ? Readonly<Record<string, string | readonly string[] | undefined>>
  : Flat<VariablesOf<Template>>;

type VariablesOf<T extends string> = T extends `${string}{${infer Body}}${infer Rest}`
  ? ExpressionOf<Body> & VariablesOf<Rest>
  : unknown;
type ExpressionOf<Body extends string> = Body extends `+${infer Names}`
  ? NamesOf<Names, never>
  : Body extends `${'#' | '.' | '/' | ';' | '?' | '&'}${infer Names}`
    ? NamesOf<Names, undefined>
    : NamesOf<Body, never>;
type NamesOf<Names extends string, Absent> = Names extends `${infer First},${infer Others}`
  ? OneOf<First, Absent> & NamesOf<Others, undefined>
  : OneOf<Names, Absent>;
type OneOf<Name extends string, Absent> = Name extends `${infer Bare}*`
  ? { readonly [Key in Bare]: readonly string[] | Absent }
  : Name extends `${infer Bare}:${string}`
    ? { readonly [Key in Bare]: string | Absent }
    : { readonly [Key in Name]: string | Absent };
type Flat<T> = T extends unknown ? { readonly [Key in keyof T]: T[Key] } : never;

/**
 * Defines a resource: `uri` for one, `template` for a family. Throws a TypeError that names it when it cannot be
 * offered.
 */
export function resource(options: ResourceOptions): Resource;
export function resource<const Template extends string>(options: ResourceTemplateOptions<Template>): Resource;
export function resource(options: ResourceOptions | ResourceTemplateOptions<string>): Resource {
  checkText('resource', 'name', options.name);
  const where = `resource "${options.name}"`;
  checkFunction(where, 'read', options.read ?? null);
  if ('template' in options) {
    if ('uri' in options) throw new TypeError(`${where}: give uri or template, not both`);
    checkText(where, 'template', options.template);
    parseTemplate(options.template);
    checkFunction(where, 'list', options.list);
    return Object.freeze({ ...options, [offers]: offerResources }) as Resource;
  }
  checkText(where, 'uri', options.uri);
  if (!/^[A-Za-z][A-Za-z0-9+.-]*:/.test(options.uri)) {
    throw new TypeError(
      `${where}: uri must begin with a scheme, such as "file:", got ${JSON.stringify(options.uri)}`,
    );
  }
  const { read } = options;
  const ofOne = { read: (_values: never, ctx: ResourceContext) => read(ctx), [offers]: offerResources };
  return Object.freeze({ ...options, ...ofOne });
}

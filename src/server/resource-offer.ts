/** The resources of a server: listed, read by URI or by template, completed. */
import { sketch } from '../basics/sketch.ts';
import type { Call, Outcome } from '../protocol/call.ts';
import type { ExtensionResources } from '../protocol/extension.ts';
import type { ResourceListing, ResourceTemplateListing } from '../protocol/listings.ts';
import { type TemplateMatcher, type TemplateValues, templateMatcher } from '../protocol/uri-match.ts';
import { screenPath } from '../protocol/uri-screen.ts';
import { parseTemplate, variablesOf } from '../protocol/uri-template.ts';
import { codes, ProtocolError } from '../rpc/protocol-error.ts';
import { readAdded, resourceCapabilities } from './bare-offers.ts';
import { textOf } from './call-params.ts';
import type { Completer } from './completer.ts';
import { answerCompletion } from './completions.ts';
import { type Completing, checkFreshness, type Offer, type OfferSettings, offers } from './offer.ts';
import { readResource } from './read-resource.ts';
import { findPage, keyed, type Paging, paginate, Registry } from './registry.ts';
import type { Resource } from './resource.ts';

interface Fixed {
  readonly resource: Resource;
  readonly listing: ResourceListing;
}

interface Family {
  readonly resource: Resource;
  readonly listing: ResourceTemplateListing;
  readonly matcher: TemplateMatcher;
  readonly variables: readonly string[];
}

/** `added` are those of extensions, behind the server's own. Throws a TypeError that names the resource that cannot be offered. */
export function offerResources(
  resources: readonly Resource[],
  settings: OfferSettings,
  added: readonly ExtensionResources[],
): Offer {
  return new ResourceOffer(resources, settings, added);
}

class ResourceOffer implements Offer {
  readonly #settings: OfferSettings;
  readonly #paging: Paging;
  readonly #fixed: Registry<Fixed>;
  readonly #families: Registry<Family>;
  readonly #added: readonly ExtensionResources[];

  constructor(resources: readonly Resource[], settings: OfferSettings, added: readonly ExtensionResources[]) {
    this.#added = added;
    this.#settings = settings;
    this.#paging = settings.paging();
    const own = resources.filter(({ template }) => template === undefined);
    const fixed = [...own, ...added.flatMap(listedOf)];
    const families = resources.filter(({ template }) => template !== undefined);
    this.#fixed = new Registry('resources', keyed('resources', 'uri', fixed, registerFixed), this.#paging);
    const entries = keyed('resources', 'template', families, registerFamily);
    this.#families = new Registry('resourceTemplates', entries, this.#paging);
  }

  get capabilities(): Readonly<Record<string, unknown>> {
    return resourceCapabilities;
  }

  get completing(): Completing {
    return {
      some: [...this.#families.entries].some(({ resource }) => resource.complete !== undefined),
      type: 'ref/resource',
      key: 'uri',
      find: (template, variable) => this.#completer(template, variable),
      answer: answerCompletion,
    };
  }

  get methods(): Readonly<Record<string, (call: Call) => Outcome | Promise<Outcome>>> {
    return {
      'resources/list': call => this.#list(call),
      'resources/templates/list': call => this.#settings.lasting(this.#families.page(call.params)),
      'resources/read': call => this.#read(call),
    };
  }

  #completer(uri: string, name: string): Completer | undefined {
    const family = this.#families.get(uri);
    if (!family && !this.#fixed.get(uri)) {
      throw new ProtocolError(codes.invalidParams, `no resource template is ${sketch(uri)}`);
    }
    if (family && !family.variables.includes(name)) {
      throw new ProtocolError(codes.invalidParams, `${uri} has no variable ${sketch(name)}`);
    }
    const completers = family?.resource.complete ?? {};
    return Object.hasOwn(completers, name) ? completers[name] : undefined;
  }

  async #list(call: Call): Promise<Outcome> {
    const lists = [...this.#families.entries].flatMap(({ resource }) =>
      resource.list ? [resource.list] : [],
    );
    if (lists.length === 0) return this.#settings.lasting(this.#fixed.page(call.params));
    const { signal, client, principal } = call;
    const members = await Promise.all(lists.map(list => list({ signal, client, principal })));
    const listings = [[...this.#fixed.entries].map(({ listing }) => listing), ...members].flat();
    const once = new Map(listings.map(listing => [listing.uri, listing]));
    return this.#settings.lasting(
      findPage(paginate('resources', [...once.values()], this.#paging), call.params),
    );
  }

  #read(call: Call): Outcome | Promise<Outcome> {
    const uri = textOf(call.params['uri'], 'uri must be the URI of a resource');
    const fixed = this.#fixed.get(uri);
    if (fixed) return readResource(fixed.resource, {}, uri, call, this.#settings.reads);
    for (const { resource, matcher } of this.#families.entries) {
      const values = matcher.match(uri);
      if (!values) continue;
      if (resource.screen !== false) screenValues(values);
      return readResource(resource, values, uri, call, this.#settings.reads);
    }
    return { value: { contents: readAdded(this.#added, uri) } };
  }
}

/** What an extension lists, as resources like any other. */
function listedOf(added: ExtensionResources): readonly Resource[] {
  return added.list().map(listing => ({
    ...listing,
    [offers]: offerResources,
    read: () => ({ contents: added.read(listing.uri) ?? [] }),
  }));
}

function registerFixed(resource: Resource): readonly [string, Fixed] {
  const { uri = '', size } = resource;
  checkFreshness(`resource "${resource.name}"`, 'freshness', resource.freshness);
  return [uri, { resource, listing: { uri, ...facts(resource), ...(size === undefined ? {} : { size }) } }];
}

function registerFamily(resource: Resource): readonly [string, Family] {
  const { template = '' } = resource;
  checkFreshness(`resource "${resource.name}"`, 'freshness', resource.freshness);
  return [
    template,
    {
      resource,
      listing: { uriTemplate: template, ...facts(resource) },
      matcher: templateMatcher(template),
      variables: variablesOf(parseTemplate(template)),
    },
  ];
}

function facts(resource: Resource): Omit<ResourceListing, 'uri' | 'size'> {
  const { name, title, description, mimeType, annotations, icons, _meta } = resource;
  return {
    name,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(mimeType === undefined ? {} : { mimeType }),
    ...(annotations === undefined ? {} : { annotations }),
    ...(icons === undefined ? {} : { icons }),
    ...(_meta === undefined ? {} : { _meta }),
  };
}

function screenValues(values: TemplateValues): void {
  for (const [name, value] of Object.entries(values)) {
    for (const each of typeof value === 'string' ? [value] : value) {
      const fault = screenPath(each);
      if (fault === undefined) continue;
      throw new ProtocolError(codes.invalidParams, `the value of "${name}" in the URI is refused: ${fault}`);
    }
  }
}

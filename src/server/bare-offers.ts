/** Prompts and resources of a server that has defined none: empty lists, and the resources that extensions add. */
import { ResourceNotFound } from '../protocol/errors.ts';
import type { ExtensionResources } from '../protocol/extension.ts';
import { textOf, unknown } from './call-params.ts';
import type { Offer, OfferSettings } from './offer.ts';
import { keyed, type Paging, Registry } from './registry.ts';

export const promptCapabilities = { prompts: { listChanged: true } };
export const resourceCapabilities = { resources: { subscribe: true, listChanged: true } };

export function offerNoPrompts(_none: readonly never[], settings: OfferSettings): Offer {
  const none = empty('prompts', settings.paging());
  return {
    capabilities: promptCapabilities,
    methods: {
      'prompts/list': call => settings.lasting(none.page(call.params)),
      'prompts/get': ({ params }) => {
        throw unknown('prompt', textOf(params['name'], 'name must be the name of a prompt'), []);
      },
    },
  };
}

export function offerAddedResources(
  _none: readonly never[],
  settings: OfferSettings,
  added: readonly ExtensionResources[],
): Offer {
  const paging = settings.paging();
  const listings = added.flatMap(each => each.list());
  const entries = keyed('resources', 'uri', listings, listing => [listing.uri, { listing }]);
  const fixed = new Registry('resources', entries, paging);
  const families = empty('resourceTemplates', paging);
  return {
    capabilities: resourceCapabilities,
    methods: {
      'resources/list': call => settings.lasting(fixed.page(call.params)),
      'resources/templates/list': call => settings.lasting(families.page(call.params)),
      'resources/read': ({ params }) => {
        const uri = textOf(params['uri'], 'uri must be the URI of a resource');
        return { value: { contents: readAdded(added, uri) } };
      },
    },
  };
}

/** What an extension has at `uri`. Throws `ResourceNotFound` when none has anything. */
export function readAdded(added: readonly ExtensionResources[], uri: string): readonly object[] {
  for (const each of added) {
    const contents = each.read(uri);
    if (contents) return contents;
  }
  throw new ResourceNotFound(uri);
}

function empty(member: string, paging: Paging): Registry<{ listing: object }> {
  return new Registry(member, new Map<string, { listing: object }>(), paging);
}

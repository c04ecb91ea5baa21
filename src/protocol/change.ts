/** What can change on a server and be watched from a client. */

export type Change =
  | { readonly kind: 'tools' }
  | { readonly kind: 'prompts' }
  | { readonly kind: 'resources' }
  | { readonly kind: 'resource'; readonly uri: string };

/** What a client wants to hear of. */
export interface ChangeFilter {
  readonly tools?: boolean;
  readonly prompts?: boolean;
  readonly resources?: boolean;
  /** URIs of single resources. */
  readonly uris?: readonly string[];
}

/** True when the filter asks for this change. */
export function wants(filter: ChangeFilter, change: Change): boolean {
  switch (change.kind) {
    case 'tools':
      return filter.tools === true;
    case 'prompts':
      return filter.prompts === true;
    case 'resources':
      return filter.resources === true;
    case 'resource':
      return filter.uris?.some(uri => covers(uri, change.uri)) ?? false;
  }
}

/** True when a change of `changed` is one of `uri`: of the resource itself, or of one below it. */
export function covers(uri: string, changed: string): boolean {
  if (!changed.startsWith(uri)) return false;
  return changed.length === uri.length || uri.endsWith('/') || changed.charAt(uri.length) === '/';
}

/** The notification that tells of a change, and back. */
export const changeMethods: Readonly<Record<Change['kind'], string>> = {
  tools: 'notifications/tools/list_changed',
  prompts: 'notifications/prompts/list_changed',
  resources: 'notifications/resources/list_changed',
  resource: 'notifications/resources/updated',
};

/** The change that a notification tells of; nothing for any other notification. */
export function readChange(
  method: string,
  params: Readonly<Record<string, unknown>> | undefined,
): Change | undefined {
  switch (method) {
    case changeMethods.tools:
      return { kind: 'tools' };
    case changeMethods.prompts:
      return { kind: 'prompts' };
    case changeMethods.resources:
      return { kind: 'resources' };
    case changeMethods.resource: {
      const uri = params?.['uri'];
      return typeof uri === 'string' ? { kind: 'resource', uri } : undefined;
    }
    default:
      return undefined;
  }
}

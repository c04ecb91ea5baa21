/** Which Host and Origin a request may name, so that a web page cannot talk to a server it has no business with. */

/** Names that are allowed, or `'*'` for all; loopback names alone when absent. */
export type Allowed = readonly string[] | '*' | undefined;

/** Splits `name`, `name:port` and `[v6]:port`, in lower case; nothing for anything else. */
function splitHost(text: string): { readonly name: string; readonly port: string | undefined } | undefined {
  const found = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::([0-9]{1,5}))?$/.exec(text.toLowerCase());
  return found?.[1] === undefined ? undefined : { name: found[1], port: found[2] };
}

/** True for the names by which a machine reaches itself, with or without a port, and for nothing that looks like them. */
export function isLoopback(host: string): boolean {
  const name = splitHost(host)?.name;
  if (name === undefined) return false;
  return name === 'localhost' || name === '[::1]' || /^127(\.[0-9]{1,3}){3}$/.test(name);
}

/** True for an address of this machine, as a socket names it. */
export function isLoopbackAddress(address: string): boolean {
  return address === '::1' || isLoopback(address.replace(/^::ffff:/i, ''));
}

/**
 * Why the Host of a request is refused. `local`: the request came over loopback, where any name that resolves to this
 * machine arrives (DNS rebinding), so that only loopback names pass unless others are allowed.
 */
export function hostFault(host: string | undefined, allowed: Allowed, local: boolean): string | undefined {
  if (allowed === '*' || (allowed === undefined && !local)) return undefined;
  if (host !== undefined && (isLoopback(host) || isListed(host, allowed))) return undefined;
  return `Host ${quote(host)} is not allowed here; the option allowedHosts names the ones that are`;
}

/** An entry without a port stands for every port. */
function isListed(host: string, allowed: readonly string[] = []): boolean {
  const given = splitHost(host);
  if (!given) return false;
  return allowed.some(entry => {
    const known = splitHost(entry);
    return known?.name === given.name && (known.port === undefined || known.port === given.port);
  });
}

/**
 * Why the Origin of a request is refused: it is none that is allowed. Pages of this machine may call a server that is
 * itself addressed as this machine. A program that is no web page sends no Origin and passes.
 */
export function originFault(
  origin: string | undefined,
  host: string | undefined,
  allowed: Allowed,
): string | undefined {
  if (origin === undefined || isAllowedOrigin(origin, allowed)) return undefined;
  const [, site] = /^https?:\/\/(.+)$/i.exec(origin) ?? [];
  if (site !== undefined && isLoopback(site) && host !== undefined && isLoopback(host)) return undefined;
  return `Origin ${quote(origin)} is not allowed here; the option allowedOrigins names the ones that are`;
}

/**
 * Why a request without Origin is refused all the same: a browser says (Sec-Fetch-Site) that a page made it. Pages
 * leave Origin out when they GET from where they came, which Host names then, or take what they may not read.
 */
export function siteFault(
  site: string | undefined,
  host: string | undefined,
  allowed: Allowed,
): string | undefined {
  if (site === undefined || site === 'none' || allowed === '*') return undefined;
  if (site === 'same-origin' && host !== undefined) {
    const isKnown = ['http', 'https'].some(scheme => isAllowedOrigin(`${scheme}://${host}`, allowed));
    if (isKnown || isLoopback(host)) return undefined;
  }
  return `Sec-Fetch-Site ${quote(site)} tells of a web page that is not allowed here; the option allowedOrigins names the ones that are`;
}

/** True when the option names this origin. */
export function isAllowedOrigin(origin: string, allowed: Allowed): boolean {
  if (allowed === '*') return true;
  const lower = origin.toLowerCase();
  return allowed?.some(entry => entry.toLowerCase() === lower) ?? false;
}

function quote(text: string | undefined): string {
  return text === undefined ? 'is missing and' : JSON.stringify(text.slice(0, 100));
}

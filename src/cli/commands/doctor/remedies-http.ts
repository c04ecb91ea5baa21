/** Causes and remedies for servers at a URL: not reached, refusing, or no MCP server at all. */
import { isTimeoutError } from '../../../basics/timeout-error.ts';
import { isConnectionError } from '../../../rpc/connection-error.ts';
import { type Failure, type Rule, statusOf, systemCodeOf } from './failure.ts';
import type { Finding } from './report.ts';

type Explain = (failure: Failure) => Finding;

const hostOf = (target: string): string => new URL(target).host;
const over = (target: string): string => (target.startsWith('https:') ? 'https' : 'http');

const untrusted: Explain = ({ patient }) => ({
  code: 'tls-untrusted',
  cause: `the certificate of ${hostOf(patient.target)} is signed by nobody that is trusted here`,
  remedy:
    'Set NODE_EXTRA_CA_CERTS to a file with the certificate of its authority (for a self-signed one, with itself).',
});
const notTls: Explain = ({ patient }) => ({
  code: 'tls-not-spoken',
  cause: `${hostOf(patient.target)} does not speak TLS, although the URL begins with https`,
  remedy:
    'Write http:// in the URL if the server is on this machine or a trusted network, or put TLS before it.',
});
const unknownHost: Explain = ({ patient }) => ({
  code: 'host-unknown',
  cause: `there is no host ${new URL(patient.target).hostname}`,
  remedy: 'Correct the host in the URL; check the network, the VPN and the name server.',
});
const unreachable: Explain = ({ patient }) => ({
  code: 'unreachable',
  cause: `no connection to ${hostOf(patient.target)} came about`,
  remedy: 'Check the network, the VPN and the firewall between.',
});
const cut: Explain = ({ patient }) => ({
  code: 'cut',
  cause: `${hostOf(patient.target)} took the connection and dropped it without a reply`,
  remedy:
    over(patient.target) === 'http'
      ? 'If it speaks TLS, write https:// in the URL; if not, its log says more.'
      : 'The log of the server, or of the gateway before it, says more.',
});

/** By the system's word. */
const byCode: Readonly<Record<string, Explain>> = {
  ENOTFOUND: unknownHost,
  EAI_AGAIN: unknownHost,
  ECONNREFUSED: ({ patient }) => ({
    code: 'refused',
    cause: `nothing listens at ${hostOf(patient.target)}`,
    remedy: 'Start the server, or correct host and port in the URL.',
  }),
  ETIMEDOUT: unreachable,
  EHOSTUNREACH: unreachable,
  ENETUNREACH: unreachable,
  ECONNRESET: cut,
  EPIPE: cut,
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  CERT_HAS_EXPIRED: ({ patient }) => ({
    code: 'tls-expired',
    cause: `the certificate of ${hostOf(patient.target)} has expired`,
    remedy: 'Renew it on the server; check the clock of this machine too.',
  }),
  CERT_NOT_YET_VALID: ({ patient }) => ({
    code: 'tls-not-yet-valid',
    cause: `the certificate of ${hostOf(patient.target)} is not valid yet`,
    remedy: 'Check the clock of this machine.',
  }),
  ERR_TLS_CERT_ALTNAME_INVALID: ({ patient }) => ({
    code: 'tls-other-name',
    cause: `the certificate of ${hostOf(patient.target)} is for another name`,
    remedy: 'Use the name that the certificate is for, or get one for this name.',
  }),
  EPROTO: notTls,
  ERR_SSL_WRONG_VERSION_NUMBER: notTls,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: notTls,
};

const wrongUrl: Explain = failure => ({
  code: 'wrong-url',
  cause: `no MCP server is at this path: it answers with status ${statusOf(failure)}${isPage(failure) ? ' and a web page' : ''}`,
  remedy: 'Correct the path of the URL; it must be the one MCP endpoint, most often /mcp.',
});
const failed: Explain = failure => ({
  code: 'server-failed',
  cause: `the server, or a gateway before it, fails with status ${statusOf(failure)}`,
  remedy: 'Its log says why; try again when it is up.',
});

/** By the status of the reply. */
const byStatus: Readonly<Record<number, Explain>> = {
  400: failure => ({
    code: 'refused-request',
    cause: `the server takes no opening request: ${messageIn(failure)}`,
    remedy:
      'Check that the URL is its MCP endpoint, and look into its log; it may be older than what is asked.',
  }),
  401: ({ patient, seen }) => {
    const sent = patient.headers.includes('authorization');
    const challenge = seen.replies.findLast(reply => reply.challenge !== undefined)?.challenge;
    const scheme = challenge === undefined ? '' : `; it asks for ${challenge.split(/[\s,]/)[0]}`;
    return {
      code: 'unauthorized',
      cause: `${sent ? 'the server refused the credentials that were sent' : 'the server wants credentials, and none were sent'} (status 401)${scheme}`,
      remedy: sent
        ? 'The token has expired, or is for another server: get a new one, and put it where "headers" takes it from.'
        : `Put "headers": { "Authorization": "Bearer $\{TOKEN}" } into its entry, and set that variable.`,
    };
  },
  403: failure => ({
    code: 'forbidden',
    cause: `the server knows who asks, and refuses: ${messageIn(failure)}`,
    remedy:
      'Give credentials that may do this; a server on this machine may also refuse the host name of the URL.',
  }),
  404: wrongUrl,
  405: wrongUrl,
  410: wrongUrl,
  406: failure => ({
    code: 'not-acceptable',
    cause: `the server does not take the Accept header: ${messageIn(failure)}`,
    remedy: 'Take "Accept" out of "headers" of its entry; if it is not there, a proxy between changes it.',
  }),
  407: () => ({
    code: 'proxy-credentials',
    cause: 'a proxy between wants credentials (status 407)',
    remedy: 'Let this host pass by the proxy, or give the proxy its credentials.',
  }),
  429: () => ({
    code: 'busy',
    cause: 'the server is asked too often (status 429)',
    remedy: 'Wait, and try again.',
  }),
  500: failed,
  502: failed,
  503: failed,
  504: failed,
};

export const httpRules: readonly Rule[] = [
  only(({ thrown }) => {
    if (!isConnectionError(thrown) || thrown.reason !== 'redirected') return undefined;
    return {
      code: 'redirected',
      cause: thrown.message,
      remedy: 'Give the final URL if you trust it; a slash at the end more or less is another address.',
    };
  }),
  only(failure => {
    // A server that answers and then does not know what it gave out.
    if (failure.step !== 'lists' || statusOf(failure) !== 404) return undefined;
    return lostSession('the server forgot the session that it had just opened, twice (status 404)');
  }),
  only(failure => byStatus[statusOf(failure) ?? 0]?.(failure)),
  only(failure => {
    const { thrown } = failure;
    if (!isConnectionError(thrown)) return undefined;
    if (thrown.reason === 'unreadable-reply' || thrown.reason === 'empty-reply') return noServer(failure);
    return thrown.status === undefined ? byCode[systemCodeOf(thrown) ?? '']?.(failure) : undefined;
  }),
  only(({ thrown }) => {
    if (!isConnectionError(thrown) || !thrown.reason.startsWith('stream-')) return undefined;
    return {
      code: 'stream-cut',
      cause: 'the server began to answer, and the stream ended before the answer came',
      remedy:
        'A proxy between may cut or buffer event streams: switch that off for this path; see the log of the server too.',
    };
  }),
  only(({ thrown, seen, patient }) => {
    if (!isTimeoutError(thrown) || seen.replies.length > 0) return undefined;
    const { host } = new URL(patient.target);
    return {
      code: 'no-reply',
      cause: `${host} took no request and gave no reply within ${(thrown.ms / 1000).toLocaleString('en')} s`,
      remedy:
        'Check the network, the VPN and the firewall between, and whether the server hangs; --timeout gives it more time.',
    };
  }),
];

/** A session that was lost, whether it was mended or not. */
export function lostSession(cause: string): Finding {
  return {
    code: 'session-lost',
    cause,
    remedy:
      'It may run as several instances behind a balancer, each with sessions of its own: pin clients to one, share the sessions, or serve without them.',
  };
}

function noServer(failure: Failure): Finding {
  const { target } = failure.patient;
  if (isPage(failure)) {
    return {
      code: 'html-page',
      cause: `a web page answers at ${target}, not an MCP server`,
      remedy:
        'Correct the path of the URL, most often /mcp; a page may also be the login of a proxy, or the site of the product.',
    };
  }
  const cause = `something answers at ${target} that is no MCP server: ${messageIn(failure)}`;
  return { code: 'not-mcp', cause, remedy: 'Correct host, port and path of the URL.' };
}

function isPage({ seen }: Failure): boolean {
  return seen.replies.at(-1)?.type === 'text/html';
}

function messageIn({ thrown }: Failure): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** The rule for servers at a URL alone. */
function only(rule: Rule): Rule {
  return failure => (failure.patient.transport === 'http' ? rule(failure) : undefined);
}

/** Where a command is to listen, as it is typed: `host:port`, `:port`, `port`, `host`; `[…]` around an IPv6 host. */
import { UsageError } from '../command.ts';

export interface Address {
  readonly host: string;
  /** 0 for any free one. */
  readonly port: number;
}

const shape = /^(?:(?<host>\[[^\]]*\]|[^\s:/[\]]+)?:)?(?<port>\d{1,5})$|^(?<alone>\[[^\]]*\]|[^\s:/[\]]+)$/;

/** The machine's own address and any free port unless said. `see` is how help is found. */
export function readAddress(text: string | undefined, see: string): Address {
  if (text === undefined) return { host: '127.0.0.1', port: 0 };
  const { host, port, alone } = shape.exec(text)?.groups ?? {};
  const number = Number(port ?? 0);
  if ((port === undefined && alone === undefined) || number > 65_535) {
    throw new UsageError(
      `--http takes an address such as 127.0.0.1:8080, :8080 or 8080, got ${JSON.stringify(text)}. ${see}`,
    );
  }
  return { host: (host ?? alone ?? '127.0.0.1').replace(/^\[|\]$/g, ''), port: number };
}

/** Whether a word says a port, which no server's name and no URL does. */
export function namesPort(word: string | undefined): boolean {
  return word !== undefined && /^([^\s/]*:)?\d{1,5}$/.test(word);
}

/** Whether it stands for all addresses of this machine. */
export function isEveryAddress(host: string): boolean {
  return host === '0.0.0.0' || host === '::' || /^(?:0+:){7}0+$/.test(host);
}

/** Whether only this machine reaches it. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

/** What the behaviours of the matrix need of a client, whoever wrote it. */

export interface CallOutcome {
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (report: {
    readonly progress: number;
    readonly total?: number;
    readonly message?: string;
  }) => void;
}

/** Changes as they are heard; `next` waits for one. */
export interface Watch {
  next(): Promise<{ readonly kind: string; readonly uri?: string }>;
  stop(): Promise<void>;
}

/** A connected client. Protocol errors are thrown with a numeric `code`. */
export interface Driver {
  readonly revision: string;
  readonly server: { readonly name: string; readonly version: string };
  tools(): Promise<readonly { readonly name: string; readonly inputSchema: unknown }[]>;
  call(name: string, args?: Readonly<Record<string, unknown>>, options?: CallOptions): Promise<CallOutcome>;
  resources(): Promise<readonly { readonly uri: string }[]>;
  templates(): Promise<readonly { readonly uriTemplate: string }[]>;
  /** The first text of a resource. */
  read(uri: string): Promise<string | undefined>;
  prompts(): Promise<readonly { readonly name: string }[]>;
  /** The text of the first message. */
  prompt(name: string, args: Readonly<Record<string, string>>): Promise<string | undefined>;
  complete(
    prompt: string,
    argument: { readonly name: string; readonly value: string },
  ): Promise<readonly string[]>;
  watch(what: { readonly tools?: boolean; readonly uris?: readonly string[] }): Promise<Watch>;
  /** The next log message; the client asked for `warning` and above when it connected. */
  nextLog(): Promise<{ readonly level: string; readonly data: unknown }>;
  /** Whether the client opens a new session by itself when its own is over; else its user connects again. */
  readonly renewsSessions: boolean;
  close(): Promise<void>;
}

/** How a client reaches a server. */
export type Way =
  | { readonly kind: 'stdio'; readonly command: string; readonly args: readonly string[] }
  | {
      readonly kind: 'http';
      readonly url: string;
      /** By the deprecated transport of two endpoints, for clients that must be told. */
      readonly older?: boolean;
    };

/**
 * Connects, with answers to questions: a name `Ada`, the model `teapot` that says `oolong`, the folder `file:///tea`.
 * `mode` is the client's own word for how it finds out what the server speaks.
 */
export type OpenDriver = (way: Way, mode: string) => Promise<Driver>;

/** Every command of `tenon`, in the order and under the headings of its help. */
import type { Command } from './command.ts';

export interface CommandEntry {
  readonly summary: string;
  /** Loaded when it is asked for, so that no command pays for another. */
  readonly load: () => Promise<Command>;
}

type Group = readonly [heading: string, entries: Readonly<Record<string, CommandEntry>>];

export const commandGroups: readonly Group[] = [
  [
    'Use any server, by its URL, its name in .mcp.json, or -- and its command',
    {
      tools: {
        summary: 'List its tools',
        load: async () => (await import('./commands/tools.ts')).toolsCommand,
      },
      resources: {
        summary: 'List its resources',
        load: async () => (await import('./commands/resources.ts')).resourcesCommand,
      },
      prompts: {
        summary: 'List its prompts',
        load: async () => (await import('./commands/prompts.ts')).promptsCommand,
      },
      call: {
        summary: 'Call a tool',
        load: async () => (await import('./commands/call.ts')).callCommand,
      },
      read: {
        summary: 'Print what a resource holds',
        load: async () => (await import('./commands/read.ts')).readCommand,
      },
      prompt: {
        summary: 'Print what a prompt says',
        load: async () => (await import('./commands/prompt.ts')).promptCommand,
      },
    },
  ],
  [
    'Let a model use servers',
    {
      run: {
        summary: 'Work on one prompt',
        load: async () => (await import('./commands/run.ts')).runCommand,
      },
      chat: {
        summary: 'Talk, prompt by prompt',
        load: async () => (await import('./commands/chat.ts')).chatCommand,
      },
    },
  ],
  [
    'Be a server',
    {
      serve: {
        summary: 'Serve patterns, agents, and what they may use, as MCP tools',
        load: async () => (await import('./commands/serve.ts')).serveCommand,
      },
      proxy: {
        summary: 'Serve a server to clients that could not use it',
        load: async () => (await import('./commands/proxy.ts')).proxyCommand,
      },
    },
  ],
  [
    'Look closer',
    {
      doctor: {
        summary: 'Say what goes wrong with a server, and what mends it',
        load: async () => (await import('./commands/doctor.ts')).doctorCommand,
      },
      lint: {
        summary: 'Say what becomes of its tools at each family of model providers',
        load: async () => (await import('./commands/lint.ts')).lintCommand,
      },
      types: {
        summary: 'Write a TypeScript file that types the calls of its tools',
        load: async () => (await import('./commands/write-types.ts')).typesCommand,
      },
      trace: {
        summary: 'Show a recording as text, or as a page for a browser',
        load: async () => (await import('./commands/trace.ts')).traceCommand,
      },
      completion: {
        summary: 'Print what completes commands in bash, zsh or fish',
        load: async () => (await import('./commands/completion.ts')).completionCommand,
      },
    },
  ],
];

export const commands: Readonly<Record<string, CommandEntry>> = Object.fromEntries(
  commandGroups.flatMap(([, entries]) => Object.entries(entries)),
);

/** Where servers are configured: in this folder, and in the files of well-known programs, which are only read. */
import { posix, win32 } from 'node:path';

/** A file that may name servers. */
export interface ConfigPlace {
  readonly file: string;
  /** Whose it is, for people. */
  readonly of: string;
}

export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly folder: string;
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** In the project's folder. */
const projectFiles: readonly (readonly [of: string, path: string])[] = [
  ['this folder', '.mcp.json'],
  ['this folder', 'mcp.json'],
  ['this folder', 'tenon.config.json'],
  ['Cursor', '.cursor/mcp.json'],
  ['VS Code', '.vscode/mcp.json'],
  ['Gemini CLI', '.gemini/settings.json'],
  ['Roo Code', '.roo/mcp.json'],
  ['Amazon Q', '.amazonq/mcp.json'],
  ['Zed', '.zed/settings.json'],
];

/** In the person's home. */
const homeFiles: readonly (readonly [of: string, path: string])[] = [
  ['Claude Code', '.claude.json'],
  ['Cursor', '.cursor/mcp.json'],
  ['Windsurf', '.codeium/windsurf/mcp_config.json'],
  ['Gemini CLI', '.gemini/settings.json'],
  ['Copilot CLI', '.copilot/mcp-config.json'],
  ['LM Studio', '.lmstudio/mcp.json'],
  ['Amazon Q', '.aws/amazonq/mcp.json'],
];

/** In the folder where applications of the platform keep their settings. */
const settingsFiles: readonly (readonly [of: string, path: string])[] = [
  ['Claude Desktop', 'Claude/claude_desktop_config.json'],
  ['VS Code', 'Code/User/mcp.json'],
  ['VS Code Insiders', 'Code - Insiders/User/mcp.json'],
  ['Cline', 'Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json'],
  ['Roo Code', 'Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json'],
];

/** Every place, the most particular first. */
export function configPlaces({ platform, folder, home, environment }: Machine): ConfigPlace[] {
  const { join } = platform === 'win32' ? win32 : posix;
  const places = (base: string, files: typeof homeFiles): ConfigPlace[] =>
    files.map(([of, path]) => ({ of, file: join(base, path) }));
  const usual = environment['XDG_CONFIG_HOME'] || join(home, '.config');
  const settings: Partial<Record<NodeJS.Platform, string>> = {
    darwin: join(home, 'Library', 'Application Support'),
    win32: environment['APPDATA'] || join(home, 'AppData', 'Roaming'),
  };
  const zed = platform === 'win32' ? join(settings.win32 ?? home, 'Zed') : join(usual, 'zed');
  return [
    ...places(folder, projectFiles),
    ...places(home, homeFiles),
    ...places(settings[platform] ?? usual, settingsFiles),
    { of: 'Zed', file: join(zed, 'settings.json') },
  ];
}

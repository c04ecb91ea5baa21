/** How each published server is started; paths are relative to the project's root. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const at = (peer, path) => `test/peers/${peer}/node_modules/${path}`;

export const servers = {
  everything: {
    command: process.execPath,
    args: [at('reference-servers', '@modelcontextprotocol/server-everything/dist/index.js'), 'stdio'],
  },
  filesystem: {
    command: process.execPath,
    args: [at('reference-servers', '@modelcontextprotocol/server-filesystem/dist/index.js'), process.cwd()],
  },
  memory: {
    command: process.execPath,
    args: [at('reference-servers', '@modelcontextprotocol/server-memory/dist/index.js')],
    env: { MEMORY_FILE_PATH: join(tmpdir(), 'tenon-peer-memory.jsonl') },
  },
  'sequential-thinking': {
    command: process.execPath,
    args: [at('reference-servers', '@modelcontextprotocol/server-sequential-thinking/dist/index.js')],
  },
  'sdk-2x': { command: process.execPath, args: ['test/peers/sdk-v2/server.mjs'] },
  'sdk-2x-stateless-only': {
    command: process.execPath,
    args: ['test/peers/sdk-v2/server.mjs', '--stateless-only'],
  },
  'excel-go': {
    command: process.execPath,
    args: [at('another', '@negokaz/excel-mcp-server/dist/launcher.js')],
  },
  effect: { command: process.execPath, args: [at('another', 'effect-mcp/main.cjs')] },
  tmcp: { command: process.execPath, args: ['test/peers/another/server.mjs'] },
};

import { describe, expect, it } from 'vitest';
import { tool } from '../tools/tool.ts';
import { Server } from './server.ts';

const serverOf = (property: object): Server =>
  new Server({
    name: 'server',
    version: '1',
    tools: [
      tool({
        name: 'move',
        description: 'Moves.',
        input: { type: 'object', properties: { region: property } },
        run: () => 'moved',
      }),
    ],
  });

describe('an argument that its tool wants mirrored into a header', () => {
  it('is listed as it was defined', () => {
    expect(() => serverOf({ type: 'string', 'x-mcp-header': 'Region' })).not.toThrow();
  });

  it.each([
    [{ type: 'number', 'x-mcp-header': 'Region' }, 'type string, integer or boolean'],
    [{ type: 'string', 'x-mcp-header': 'My Region' }, 'must be a header name'],
  ])('is refused when no client could send it: %j', (property, why) => {
    expect(() => serverOf(property)).toThrow(`tool "move": its schema cannot be used:`);
    expect(() => serverOf(property)).toThrow(why);
  });
});

import { afterEach, describe, expect, it } from 'vitest';
import { oddServer, useCommand } from '../../../test/fixtures/command.ts';
import { hasTmux, ScreenUnderTest } from '../../../test/fixtures/screen.ts';

const tenon = useCommand();
let screen: ScreenUnderTest | undefined;
afterEach(() => {
  screen?.close();
});

const [command = '', script = ''] = oddServer;

function open(variant: string, size?: { columns: number }): ScreenUnderTest {
  tenon.put('.mcp.json', { mcpServers: { it: { command, args: [script, variant] } } });
  screen = new ScreenUnderTest(tenon.shellLine(['doctor', 'it']), size);
  return screen;
}

describe.skipIf(!hasTmux)('tenon doctor in a terminal (skipped without tmux)', () => {
  it('shows the step that goes on below those that are over, and ends at Ctrl-C', async () => {
    const terminal = open('everything-silent', { columns: 40 });
    const text = await terminal.shows(/^\d+ s: first bytes$/m);
    expect(text).toMatch(/ {2}ok {6}start +\d+ ms\n\d+ s: first bytes$/);
    terminal.press('C-c');
    const ended = await terminal.shows(/^exit: 130/m);
    expect(ended).not.toMatch(/first bytes|All is well|cause/);
  });

  it('leaves nothing of the line that passes in what is there at the end', async () => {
    const text = await open('ordinary').shows(/^exit: 0/m);
    expect(text).toMatch(/ {2}ok {6}close +\d+ ms\n\nAll is well\.\nexit: 0$/);
    expect(text).not.toContain('…');
  });
});

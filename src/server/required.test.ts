import { describe, expect, it } from 'vitest';
import { connect } from '../client/client.ts';
import { revisions } from '../eras/index.ts';
import { isProtocolError } from '../rpc/protocol-error.ts';
import { tool } from '../tools/tool.ts';
import { missingOf } from './required.ts';
import { Server } from './server.ts';

describe('what a tool requires of its client', () => {
  it.each([
    [{}, {}, undefined],
    [{ sampling: {} }, {}, { sampling: {} }],
    [{ sampling: {} }, { sampling: {} }, undefined],
    [{ sampling: { tools: {} } }, { sampling: {} }, { sampling: { tools: {} } }],
    [{ elicitation: { form: {} } }, { elicitation: {} }, undefined],
    [{ elicitation: { url: {} } }, { elicitation: {} }, { elicitation: { url: {} } }],
    [{ elicitation: { url: {} } }, { elicitation: { form: {}, url: {} } }, undefined],
    [{ roots: {}, sampling: {} }, { roots: { listChanged: true } }, { sampling: {} }],
  ])('%j held against %j lacks %j', (required, offered, missing) => {
    expect(missingOf(required, offered)).toEqual(missing);
  });

  it.each(revisions.slice(-2))('is refused before the tool runs (%s)', async protocol => {
    let runs = 0;
    const asking = tool({
      name: 'asking',
      description: '',
      requires: { elicitation: { form: {} } },
      run: () => {
        runs += 1;
        return 'ran';
      },
    });
    const server = new Server({ name: 's', version: '1', tools: [asking] });
    const plain = await connect(server, { protocol });
    const error = await plain.call('asking').catch((thrown: unknown) => thrown);
    expect(isProtocolError(error) && error.data).toEqual({
      requiredCapabilities: { elicitation: { form: {} } },
    });
    expect(runs).toBe(0);
    await plain.close();
    const able = await connect(server, { protocol, onElicit: () => ({ action: 'decline' }) });
    expect((await able.call('asking')).isError).toBe(false);
    expect(runs).toBe(1);
    await able.close();
  });
});

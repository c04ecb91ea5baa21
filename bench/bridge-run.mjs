/** What a call through a tool of an agent costs more than the same call of the client, as one line. */
import { many } from './client-run.mjs';
import { text } from './messages.mjs';
import { median } from './report.mjs';

const blocks = 30;

/**
 * Both make one call of `echo` and resolve with something that holds its text. They take turns, block by block, and each
 * block is compared with the one beside it.
 */
export async function measureBridge({ direct, bridged }, { calls, warmUp, inFlight }) {
  const block = Math.ceil(calls / blocks);
  await many(direct, warmUp, inFlight, holdsText);
  await many(bridged, warmUp, inFlight, holdsText);
  const more = [];
  for (let done = 0; done < blocks; done += 1) {
    const before = await cpuOf(() => many(direct, block, inFlight, holdsText));
    more.push((await cpuOf(() => many(bridged, block, inFlight, holdsText))) - before);
  }
  console.log(JSON.stringify({ value: median(more) / block }));
  process.exit(0);
}

async function cpuOf(work) {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/** Some give the result, some its content, some a part of that as text. */
function holdsText(got) {
  const content = got?.content ?? got;
  const part = Array.isArray(content) ? content[0] : content;
  return part?.text === text || (typeof part === 'string' && part.includes(text));
}

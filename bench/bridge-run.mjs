/** What a call through a tool of an agent costs more than the same call of the client, as one line. */
import { sameText } from './answers.mjs';
import { many } from './client-run.mjs';
import { median } from './statistics.mjs';

const blocks = 30;

/**
 * Both make one call of `echo` and resolve with something that holds its text. They take turns, block by block, and each
 * block is compared with the one beside it.
 */
export async function measureBridge({ direct, bridged }, { calls, warmUp, inFlight }) {
  const block = Math.ceil(calls / blocks);
  const isDirect = sameText();
  const isBridged = sameText();
  await many(direct, warmUp, inFlight, isDirect);
  await many(bridged, warmUp, inFlight, isBridged);
  const more = [];
  for (let done = 0; done < blocks; done += 1) {
    const before = await cpuOf(() => many(direct, block, inFlight, isDirect));
    more.push((await cpuOf(() => many(bridged, block, inFlight, isBridged))) - before);
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

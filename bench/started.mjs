/** The end of a run that starts servers and lists their tools: the time since the process began, as one line. */

/** `start` resolves with the number of tools of one more server. */
export async function measureStart(start, { count }) {
  const counts = await Promise.all(Array.from({ length: count }, start));
  if (counts.some(tools => tools !== 2)) throw new Error(`the servers have ${counts} tools`);
  // Not the CPU time: most of it is spent by the servers, at once where there are cores.
  console.log(JSON.stringify({ value: performance.now() * 1000 }));
  process.exit(0);
}

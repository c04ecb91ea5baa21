/** Loaded before a measured server (`node --import`): tells its parent what it used so far whenever it is asked. */
process.on('message', what => {
  if (what === 'heap') {
    // What the first collection lets finalize is gone after the second.
    globalThis.gc();
    globalThis.gc();
    const { heapUsed, external } = process.memoryUsage();
    process.send(heapUsed + external);
    return;
  }
  const { user, system } = process.cpuUsage();
  process.send(user + system);
});
// The channel to the parent alone keeps no server alive.
process.channel?.unref();

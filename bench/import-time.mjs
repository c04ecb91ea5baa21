/** CPU time that loading a file takes, named by a URL, in microseconds, as one line of JSON. */
const before = process.cpuUsage();
await import(process.argv[2]);
const { user, system } = process.cpuUsage(before);
console.log(JSON.stringify({ value: user + system }));

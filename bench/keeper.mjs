/**
 * Stands beside the runner, told of its children line by line on stdin: `+PID` of a group that began, `-PID` of one that
 * ended. When the runner is gone, even by KILL, what it left is ended.
 */
import { createInterface } from 'node:readline';

const groups = new Set();
for await (const line of createInterface({ input: process.stdin })) {
  const group = Number(line.slice(1));
  if (line.startsWith('+')) groups.add(group);
  else groups.delete(group);
}
for (const group of groups) {
  try {
    process.kill(-group, 'SIGKILL');
  } catch {
    // It ended by itself.
  }
}

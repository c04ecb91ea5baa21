/** Peers are installed when they are first needed, each in its own folder from its own lock. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { endOf, start } from './children.mjs';
import { folderOf } from './subject.mjs';

/** What an interrupted installation lacks, or an older one has in another version. `folder`: with a package.json that pins. */
export function missingIn(folder) {
  const { dependencies = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return Object.keys(dependencies).filter(name => {
    const file = join(folder, 'node_modules', name, 'package.json');
    return !existsSync(file) || JSON.parse(readFileSync(file, 'utf8')).version !== dependencies[name];
  });
}

/** Installs a subject unless it is. */
export async function ensureInstalled(subject) {
  const folder = folderOf(subject);
  // The floor and ours have nothing to install.
  if (!existsSync(join(folder, 'package.json')) || missingIn(folder).length === 0) return;
  console.error(`bench: installing ${subject}`);
  const { child, closed } = start('npm', ['ci', '--no-progress', '--ignore-scripts'], {
    stdin: 'ignore',
    cwd: folder,
  });
  child.stdout.resume();
  const end = await closed;
  if (end.code === 0 && missingIn(folder).length === 0) return;
  throw new Error(
    `${subject} could not be installed: npm ci ${endOf(end)}\nWithout the peers: --subjects floor,ours`,
  );
}

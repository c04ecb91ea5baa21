/** Why a file cannot be read, in words instead of the system's code. */
import { messageOf } from '../../basics/failure.ts';

const reasons: Readonly<Record<string, string>> = {
  EISDIR: 'it is a folder',
  EACCES: 'this user may not read it',
  EPERM: 'this user may not read it',
  ENOENT: 'there is no such file',
};

export function whyUnreadable(error: unknown): string {
  const { code = '' } = Object(error) as NodeJS.ErrnoException;
  return reasons[code] ?? messageOf(error);
}

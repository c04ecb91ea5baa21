/** What the library calls an option, as the command calls it. */

/** By the name in the library's messages; timeouts are one option here. */
const flags: Readonly<Record<string, string>> = {
  maxTurns: '--max-turns',
  '"filter"': '--tools',
};

/** A sentence of the library for whoever typed the command. */
export function inCommandWords(sentence: string): string {
  return (
    Object.entries(flags)
      .reduce((told, [name, flag]) => told.replace(name, flag), sentence)
      // What is allowed is what needs no approval.
      .replace(/"needsApproval" names "(!?)/, (_all, sign) => `--allow names "${sign === '!' ? '' : '!'}`)
      .replace(/\btimeouts\.\w+(?: for this call or for the client)?/, '--timeout')
  );
}

/** Where something stands in a configuration, as people write it. */

/** `mcpServers.files.args[0]`; names that are no words stand in brackets and quotes. */
export function pathOf(parts: readonly (string | number)[]): string {
  return parts
    .map(part => {
      if (typeof part === 'number') return `[${part}]`;
      return /^[\w$-]+$/.test(part) ? `.${part}` : `[${JSON.stringify(part)}]`;
    })
    .join('')
    .replace(/^\./, '');
}

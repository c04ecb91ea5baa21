/** Reads a guide as somebody does who follows it: which files to write, what to type in which terminal, what to see; pure. */
import { basename } from 'node:path';

export type Step =
  | { readonly kind: 'write'; readonly line: number; readonly file: string; readonly text: string }
  /** `sees` is what the guide prints below; nothing is to be seen where it prints nothing. */
  | {
      readonly kind: 'type';
      readonly line: number;
      readonly terminal: 1 | 2;
      readonly commands: readonly string[];
      readonly sees: string;
    }
  | { readonly kind: 'interrupt'; readonly line: number };

interface Block {
  readonly line: number;
  /** The language of a fence; absent for prose. */
  readonly language?: string;
  readonly source?: string | undefined;
  readonly text: string;
}

/** Throws for a fence of which nobody could tell what to do with it. */
export function readSteps(guide: string): Step[] {
  const steps: Step[] = [];
  let prose = '';
  for (const { line, language, source, text } of blocksOf(guide)) {
    if (language === undefined) {
      prose = text.replace(/\s+/g, ' ');
      if (/press Ctrl-C in the second terminal/i.test(prose)) steps.push({ kind: 'interrupt', line });
    } else if (source !== undefined) {
      steps.push({ kind: 'write', line, file: basename(source), text });
    } else if (language === 'sh') {
      const terminal = /\bin a second terminal\b/i.test(prose) ? 2 : 1;
      steps.push({ kind: 'type', line, terminal, commands: text.trimEnd().split('\n'), sees: '' });
      prose = '';
    } else if (language === 'text') {
      const last = steps.pop();
      if (last?.kind !== 'type' || last.sees !== '')
        throw new Error(`line ${line}: prints what nobody typed`);
      steps.push({ ...last, sees: text.trimEnd() });
    } else throw new Error(`line ${line}: a ${language} fence that is neither a file, nor typed, nor seen`);
  }
  return steps;
}

function blocksOf(guide: string): Block[] {
  const fence = /^```(\w+)(?: +(\S+?)(?:#\S+)?)? *\n([\s\S]*?)^```$/gm;
  const blocks: Block[] = [];
  const lineAt = (index: number): number => guide.slice(0, index).split('\n').length;
  let at = 0;
  const addProse = (until: number): void => {
    for (const { 0: text, index } of guide.slice(at, until).matchAll(/(?:^(?!\s*$).*\n?)+/gm)) {
      blocks.push({ line: lineAt(at + index), text });
    }
  };
  for (const { 0: whole, 1: language = '', 2: source, 3: text = '', index } of guide.matchAll(fence)) {
    addProse(index);
    blocks.push({ line: lineAt(index), language, source, text });
    at = index + whole.length;
  }
  addProse(guide.length);
  return blocks;
}

/** What is seen as a pattern: `…` is anything on its line, and a line of it alone any number of lines. */
export function patternOf(sees: string): RegExp {
  const lines = sees.split('\n').map(line => {
    if (line.trim() === '…') return '(?:.*\\n)*?';
    const parts = line.split('…').map(part => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    return `${parts.join('.*?')} *\\n`;
  });
  return new RegExp(`^\\n*${lines.join('')}\\n*$`);
}

/** What the help of a command says that completion needs, so that what is offered is what people read; pure. */

export interface HelpedOption {
  /** With its dashes. */
  readonly name: string;
  /** What stands for its value, such as `file`; absent for one without. */
  readonly value?: string;
  readonly about: string;
}

/** The options of which the help has a line. */
export function optionsIn(help: string): HelpedOption[] {
  const line = /^ {2}(?:-\w, )?(--[\w-]+)(?: [<[]([^>\]]+)[>\]])? {2,}(\S.*)$/gm;
  return [...help.matchAll(line)].map(([, name = '', value, about = '']) => ({
    name,
    ...(value === undefined ? {} : { value }),
    about,
  }));
}

/** What stands for the words of a command, in order, such as `server` and `tool`; `…` after one that may come again. */
export function wordsIn(help: string): string[] {
  const [, usage = ''] = /^Usage: tenon [\w-]+ (.*)$/m.exec(help) ?? [];
  const [words = ''] = usage.split(/\[options\]|\[?--/);
  return [...words.matchAll(/[<[]([^>\]]+)[>\]]/g)].map(([, word = '']) => word);
}

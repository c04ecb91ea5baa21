/** A terminal that keeps to itself what others say while a question stands on it. */
import type { Terminal } from '../terminal.ts';

export interface HeldTerminal {
  /** Says at once, or once nobody is asked any more; what passes is not shown meanwhile. */
  readonly terminal: Terminal;
  /** Begins to hold back; the function that it gives ends that and says what was held back. */
  hold(): () => void;
}

export function holdTerminal(to: Terminal): HeldTerminal {
  const waiting: (() => void)[] = [];
  let held = false;
  const say = (speak: () => void): void => {
    if (held) waiting.push(speak);
    else speak();
  };
  return {
    terminal: {
      print: text => say(() => to.print(text)),
      write: text => say(() => to.write(text)),
      warn: text => say(() => to.warn(text)),
      status(text) {
        if (!held) to.status(text);
      },
      paint: to.paint,
    },
    hold() {
      to.status('');
      held = true;
      return () => {
        held = false;
        for (const speak of waiting.splice(0)) speak();
      };
    },
  };
}

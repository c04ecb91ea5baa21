/**
 * Joins the pieces in which a model writes before they are recorded: a key that comes in two pieces is none to whoever
 * masks them one by one.
 */
import { isObject } from '../../basics/json.ts';

type Event = Readonly<Record<string, unknown>>;

interface Held {
  /** The runs that it is inside of, as a text. */
  readonly place: string;
  text: string;
  /** The event with this text. */
  readonly remake: (text: string) => Event;
}

/** The member of each that holds the piece. */
const pieces: Readonly<Record<string, string>> = {
  'text-delta': 'text',
  'reasoning-delta': 'text',
  'tool-input-delta': 'arguments',
};

/** Characters that are held before some are passed on, up to the last blank: no key holds any. */
const mostHeld = 6000;

export class JoinedDeltas {
  readonly #pass: (event: Event) => void;
  readonly #held = new Map<string, Held>();

  constructor(pass: (event: Event) => void) {
    this.#pass = pass;
  }

  /** Passes the event on after what was held of its run, or holds it. */
  take(event: Event): void {
    const { place, inner, wrap } = unwrap(event);
    const type = String(inner['type']);
    const member = Object.hasOwn(pieces, type) ? pieces[type] : undefined;
    const key = `${place}${type} ${String(inner['callId'])}`;
    // What comes after the pieces stands after them; pieces of other runs may still be on their way.
    const ended = endedBy(type, place, inner);
    for (const [other, held] of this.#held) {
      const isOver = held.place === place || (ended !== undefined && held.place.startsWith(ended));
      if (isOver && other !== key) this.#release(other, held.text.length);
    }
    if (member === undefined) {
      this.#pass(event);
      return;
    }
    const remake = (text: string): Event => wrap({ ...inner, [member]: text });
    const held = this.#held.get(key) ?? { place, text: '', remake };
    held.text += String(inner[member]);
    this.#held.set(key, held);
    if (held.text.length > mostHeld) {
      const blank = held.text.search(/\s\S*$/);
      this.#release(key, blank > 0 ? blank + 1 : held.text.length);
    }
  }

  /** Passes on all that is held. */
  end(): void {
    for (const [key, { text }] of this.#held) this.#release(key, text.length);
  }

  #release(key: string, length: number): void {
    const held = this.#held.get(key);
    if (held === undefined) return;
    const text = held.text.slice(0, length);
    held.text = held.text.slice(length);
    if (held.text === '') this.#held.delete(key);
    if (text !== '') this.#pass(held.remake(text));
  }
}

/** What the places of the runs begin with that are over with this event. */
function endedBy(type: string, place: string, { callId }: Event): string | undefined {
  if (type === 'tool-end') return `${place}in ${String(callId)} `;
  return type === 'run-end' || type === 'call-end' ? place : undefined;
}

interface Unwrapped {
  readonly place: string;
  readonly inner: Event;
  readonly wrap: (inner: Event) => Event;
}

/** An event of a run inside a tool or a call comes in an event of what is around it. */
function unwrap(event: Event): Unwrapped {
  const { event: inside, type, call, callId } = event;
  const isWrapper = type === 'delegated' || type === 'call-event';
  if (!isWrapper || !isObject(inside)) {
    // The end of a call is one of what is inside of it.
    return { place: call === undefined ? '' : `call ${String(call)} `, inner: event, wrap: inner => inner };
  }
  const { place, inner, wrap } = unwrap(inside);
  const here = type === 'delegated' ? `in ${String(callId)} ` : `call ${String(call)} `;
  return { place: `${here}${place}`, inner, wrap: changed => ({ ...event, event: wrap(changed) }) };
}

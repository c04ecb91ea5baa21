/** The tool calls of a chat answer, told apart however a server numbers their pieces; pure. */
import { isObject, parseJson } from '../../basics/json.ts';
import type { Part } from '../model.ts';
import { callMembers, type Json, pick } from './replay.ts';

interface Slot {
  readonly index: number;
  id: string;
  name: string;
  started: boolean;
  /** The arguments so far. */
  text: string;
  /** How much of them was passed on. */
  told: number;
  /** What is sent back with it. */
  more: Json;
}

export class CallSlots {
  readonly #idPrefix: string;
  readonly #slots: Slot[] = [];
  readonly #byIndex = new Map<number, Slot>();

  constructor(idPrefix: string) {
    this.#idPrefix = idPrefix;
  }

  get areNamed(): boolean {
    return this.#slots.every(({ started }) => started);
  }

  /** As they stand in the turn of the model. */
  get calls(): readonly Json[] {
    return this.#slots.map(({ id, name, text, more }) => ({
      id,
      type: 'function',
      function: { name, arguments: text },
      ...more,
    }));
  }

  *read(call: Json): Generator<Part> {
    const about = isObject(call['function']) ? call['function'] : {};
    const id = textOf(call['id']);
    const name = textOf(about['name']);
    const raw = about['arguments'];
    const piece =
      typeof raw === 'string' ? raw : raw === undefined || raw === null ? '' : JSON.stringify(raw);
    const slot = this.#slotFor(call['index'], { id, name, piece });
    slot.text += piece;
    slot.more = { ...slot.more, ...pick(call, callMembers) };
    if (!slot.started) {
      if (slot.id === '') slot.id = id;
      slot.name += name;
    }
    if (slot.name !== '') yield* this.#tell(slot);
  }

  *#tell(slot: Slot): Generator<Part> {
    const { index } = slot;
    if (!slot.started) {
      slot.started = true;
      if (slot.id === '') slot.id = `${this.#idPrefix}_${index}`;
      yield { type: 'tool-call-start', index, id: slot.id, name: slot.name };
    }
    const text = slot.text.slice(slot.told);
    slot.told = slot.text.length;
    if (text !== '') yield { type: 'tool-call-delta', index, arguments: text };
  }

  /** Some servers number no calls, some number all of them 0, and some give no ids either. */
  #slotFor(given: unknown, piece: Piece): Slot {
    const known =
      typeof given === 'number' ? this.#byIndex.get(given) : (this.#withId(piece.id) ?? this.#last(piece));
    if (known !== undefined && !beginsAnother(known, piece)) return known;
    const slot: Slot = {
      index: this.#slots.length,
      id: '',
      name: '',
      started: false,
      text: '',
      told: 0,
      more: {},
    };
    this.#slots.push(slot);
    if (typeof given === 'number') this.#byIndex.set(given, slot);
    return slot;
  }

  #withId(id: string): Slot | undefined {
    return id === '' ? undefined : this.#slots.findLast(slot => slot.id === id);
  }

  #last({ id, name }: Piece): Slot | undefined {
    return id === '' && name === '' ? this.#slots.at(-1) : undefined;
  }
}

interface Piece {
  readonly id: string;
  readonly name: string;
  readonly piece: string;
}

/** A name does when it comes with another id, or when the arguments before it are complete and it is no mere echo. */
function beginsAnother(known: Slot, { id, name, piece }: Piece): boolean {
  if (name === '' || !known.started) return false;
  if (id !== '' && id !== known.id) return true;
  return (name !== known.name || piece.trim() !== '') && isWhole(known.text);
}

function isWhole(text: string): boolean {
  const parsed = parseJson(text);
  return parsed.ok && isObject(parsed.value);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** What a chat model thought while it answers, in the members that servers have for it; pure. */
import { isObject } from '../../basics/json.ts';
import { type Json, pick, turnMembers } from './replay.ts';

/** Members of one entry that come in pieces. */
const grown: readonly string[] = ['text', 'summary', 'data', 'signature'];

export class Thoughts {
  readonly #texts = new Map<'reasoning_content' | 'reasoning', string>();
  #details: Json[] = [];
  #extra: unknown;

  /** The piece of a thought in this message, if there is one. Some servers send both members, one of them empty. */
  read(message: Json): string {
    const pieces = (['reasoning_content', 'reasoning'] as const).map(name => {
      const piece = message[name];
      if (typeof piece !== 'string') return '';
      this.#texts.set(name, (this.#texts.get(name) ?? '') + piece);
      return piece;
    });
    const details = message['reasoning_details'];
    if (Array.isArray(details)) for (const entry of details.filter(isObject)) this.#add(entry);
    this.#extra = message['extra_content'] ?? this.#extra;
    return pieces.find(piece => piece !== '') ?? '';
  }

  /**
   * What is to go back. The one member is wanted wherever it was sent, beside calls even an empty thought; the other
   * helps a model to go on from its calls.
   */
  more(hasCalls: boolean): Json {
    const content = this.#texts.get('reasoning_content');
    const reasoning = this.#texts.get('reasoning');
    const told: Json = {
      reasoning_content: content === '' && !hasCalls ? undefined : content,
      reasoning: reasoning === '' || !hasCalls ? undefined : reasoning,
      reasoning_details: this.#details.length === 0 ? undefined : this.#details,
      extra_content: this.#extra,
    };
    return pick(told, turnMembers);
  }

  /** Pieces of one entry have its kind and place. */
  #add(entry: Json): void {
    const last = this.#details.at(-1);
    if (last === undefined || last['type'] !== entry['type'] || last['index'] !== entry['index']) {
      this.#details.push(entry);
      return;
    }
    const joined: Record<string, unknown> = { ...last };
    for (const [name, value] of Object.entries(entry)) {
      const before = joined[name];
      const isPiece = grown.includes(name) && typeof before === 'string' && typeof value === 'string';
      if (isPiece) joined[name] = before + value;
      else if (value !== null) joined[name] = value;
    }
    this.#details = [...this.#details.slice(0, -1), joined];
  }
}

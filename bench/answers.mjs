/**
 * Judges the answers of a server: each id once, no error, and what is expected at its place. An answer that differs from
 * one that was judged by nothing but its id is right without being parsed again, so that the loader keeps up.
 */
import { text } from './messages.mjs';

const short = line => (line.length > 300 ? `${line.slice(0, 300)}…` : line);

/** What was right last: who judged it, and what stood before and behind its id. */
function knownShape() {
  let judge;
  let head = '';
  let tail = '';
  return {
    /** The id, when that alone is new; undefined for whatever must be parsed. */
    idIn(line, judgeOf) {
      if (judge === undefined || !line.startsWith(head) || !line.endsWith(tail)) return undefined;
      const digits = line.slice(head.length, line.length - tail.length);
      return /^[1-9]\d*$/.test(digits) && judgeOf(Number(digits)) === judge ? Number(digits) : undefined;
    },
    learn(line, id, by) {
      const [before, behind, ...more] = line.split(`"id":${id}`);
      if (behind === undefined || more.length > 0) return;
      // The id of the message itself, not one within its result.
      if (!/^[,}]/.test(behind) || JSON.parse(`${before}"id":0${behind}`).id !== 0) return;
      judge = by;
      head = `${before}"id":`;
      tail = behind;
    },
  };
}

/**
 * Reads messages: gives the id of an answer that is right, nothing for notifications and requests, throws otherwise.
 * `judgeOf(id)`: of the calls that wait, what judges the result, a function that gives the fault in words.
 */
export function answerReader() {
  const shape = knownShape();
  function judged(line, judgeOf) {
    const { id, method, result } = JSON.parse(line);
    if (method !== undefined) return undefined;
    const judge = judgeOf(id);
    if (judge === undefined) throw new Error('its id is that of no call, or of one that was answered before');
    const fault = result === undefined ? 'it has no result' : judge(result);
    if (fault !== undefined) throw new Error(fault);
    shape.learn(line, id, judge);
    return id;
  }
  return (line, judgeOf) => {
    try {
      return shape.idIn(line, judgeOf) ?? judged(line, judgeOf);
    } catch (error) {
      throw new Error(`an answer is wrong: ${error.message}: ${short(line)}`);
    }
  };
}

/** Calls in flight by id. `of(id, judge)` resolves with a right answer; whatever is wrong fails all, then and later. */
export function inFlight() {
  const read = answerReader();
  const waiting = new Map();
  const judgeOf = id => waiting.get(id)?.judge;
  let fault;
  return {
    of: (id, judge) =>
      new Promise((resolve, reject) => {
        if (fault !== undefined) reject(fault);
        else waiting.set(id, { judge, resolve, reject });
      }),
    take(line) {
      try {
        const id = read(line, judgeOf);
        if (id === undefined) return;
        waiting.get(id).resolve();
        waiting.delete(id);
      } catch (error) {
        fault ??= error;
        for (const { reject } of waiting.values()) reject(fault);
        waiting.clear();
      }
    },
  };
}

const refused = ({ isError }) => (isError === true ? 'the tool failed' : undefined);

/** Of any request. */
export const succeeds = () => undefined;

/** Of a call: one text, this one. */
export const says = wanted => result => {
  const { content } = result;
  const isRight = content?.length === 1 && content[0].type === 'text' && content[0].text === wanted;
  return refused(result) ?? (isRight ? undefined : 'its text is not the one sent');
};

export const adds = sum => result =>
  refused(result) ?? (result.structuredContent?.sum === sum ? undefined : 'its sum is wrong');

export const lists =
  count =>
  ({ tools }) =>
    tools?.length === count && tools.every(({ name }) => typeof name === 'string')
      ? undefined
      : `it lists ${tools?.length} tools, not ${count}`;

/**
 * Of a call of a client and of a tool in an agent: some give the result, some its content, some its one part, some that
 * as JSON. A text is judged once, and those after it must be the same.
 */
export function sameText() {
  let known;
  return got => {
    if (typeof got !== 'string') return holdsText(got);
    known ??= holdsText(parsed(got)) ? got : undefined;
    return got === known;
  };
}

function holdsText(got) {
  if (got?.isError === true) return false;
  const content = got?.content ?? got;
  const [part, ...more] = Array.isArray(content) ? content : [content];
  return part?.text === text && more.length === 0;
}

function parsed(json) {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

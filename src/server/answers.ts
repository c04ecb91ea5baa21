/** Reads what a client answered to a question; an answer of the wrong shape is the peer's fault and says so. */
import { sketch } from '../basics/sketch.ts';
import { readObject } from '../protocol/identity.ts';
import { codes, ProtocolError } from '../rpc/protocol-error.ts';
import { compileSchema } from '../schema/compile.ts';
import { explain } from '../schema/explain.ts';
import type { ElicitAnswer, ElicitQuestion, Root, SampleAnswer } from '../tools/question.ts';

const actions: ReadonlySet<unknown> = new Set(['accept', 'decline', 'cancel']);

/** An accepted form must fit what was asked for. */
export async function readElicitAnswer(
  key: string,
  answer: unknown,
  question: ElicitQuestion,
): Promise<ElicitAnswer> {
  const read = readElicited(key, answer);
  if (read.action !== 'accept' || question.mode === 'url') return read;
  const { requestedSchema } = question;
  const verdict = await compileSchema(requestedSchema).validate(read.content ?? {});
  if (verdict.ok) return read;
  throw wrong(key, await explain(verdict.issues, { schema: requestedSchema, value: read.content ?? {} }));
}

/** What can be told of an answer without its question. */
export function readElicited(key: string, answer: unknown): ElicitAnswer {
  const { action } = readObject(answer);
  if (!actions.has(action))
    throw wrong(key, `action must be accept, decline or cancel, got ${sketch(action)}`);
  return answer as ElicitAnswer;
}

export function readSampleAnswer(key: string, answer: unknown): SampleAnswer {
  const { role, content } = readObject(answer);
  if (typeof role !== 'string' || typeof content !== 'object' || content === null) {
    throw wrong(key, 'a sampled message must have a role and content');
  }
  return answer as SampleAnswer;
}

export function readRoots(key: string, answer: unknown): readonly Root[] {
  const { roots } = readObject(answer);
  if (!Array.isArray(roots)) throw wrong(key, `roots must be an array, got ${sketch(roots)}`);
  return roots.filter((root): root is Root => typeof readObject(root)['uri'] === 'string');
}

function wrong(key: string, why: string): ProtocolError {
  return new ProtocolError(codes.invalidParams, `the client's answer to "${key}" cannot be used: ${why}`);
}

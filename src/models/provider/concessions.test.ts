import { describe, expect, it } from 'vitest';
import { ModelError } from '../model-error.ts';
import { type Concession, Concessions, type ConcessionTrial, temperatureDropped } from './concessions.ts';
import type { Body } from './provider.ts';

const leaveOut = (member: string, more: Partial<Concession> = {}): Concession => ({
  code: `${member}-dropped`,
  blames: new RegExp(member),
  member,
  note: `no ${member}`,
  change: body => Object.fromEntries(Object.entries(body).filter(([name]) => name !== member)),
  ...more,
});
const known = [leaveOut('unasked', { unasked: true }), leaveOut('asked')];
const body: Body = { unasked: 1, asked: 2 };
const refusal = (message: string, status = 400): ModelError =>
  new ModelError(message, { kind: 'invalid-request', provider: 'p', status });
const codes = (trial: ConcessionTrial): string[] => [...trial.hold()].map(({ code }) => code);

describe('what a server refuses', () => {
  it('is left out of the next attempt, and of later requests once there was an answer', () => {
    const concessions = new Concessions(known);
    const trial = concessions.begin();
    expect(trial.apply(body)).toEqual(body);
    expect(trial.concede(refusal('no asked please'), body)).toBe(true);
    expect(trial.apply(body)).toEqual({ unasked: 1 });
    expect(concessions.begin().apply(body)).toEqual(body);
    expect(codes(trial)).toEqual(['asked-dropped']);
    expect(concessions.begin().apply(body)).toEqual({ unasked: 1 });
    expect(codes(concessions.begin())).toEqual([]);
  });

  it('is not left out later when leaving it out did not help', () => {
    const concessions = new Concessions(known);
    const trial = concessions.begin();
    const failure = refusal("Unknown parameter: 'foo'");
    expect(trial.concede(failure, body)).toBe(true);
    expect(trial.concede(failure, trial.apply(body))).toBe(false);
    expect(concessions.begin().apply(body)).toEqual(body);
  });

  it('counts for a request that was sent before another found it out, and not for one sent after', () => {
    const concessions = new Concessions(known);
    const [first, second] = [concessions.begin(), concessions.begin()];
    first.concede(refusal('asked'), body);
    [...first.hold()];
    expect(second.concede(refusal('asked'), body)).toBe(true);
    const third = concessions.begin();
    expect(third.concede(refusal('asked'), third.apply(body))).toBe(false);
  });

  it('may be one of a kind, of which others are still sent', () => {
    const concessions = new Concessions([leaveOut('asked', { about: ({ asked }) => String(asked) })]);
    const trial = concessions.begin();
    trial.concede(refusal('asked'), body);
    expect(trial.apply(body)).toEqual({ unasked: 1 });
    [...trial.hold()];
    expect(concessions.begin().apply(body)).toEqual({ unasked: 1 });
    expect(concessions.begin().apply({ asked: 3 })).toEqual({ asked: 3 });
  });

  it('is no matter of other failures', () => {
    const trial = new Concessions(known).begin();
    expect(trial.concede(refusal('asked', 500), body)).toBe(false);
    expect(trial.concede(refusal('too long'), body)).toBe(false);
    expect(trial.concede(refusal('asked'), { unasked: 1 })).toBe(false);
  });
});

it.each([
  [
    "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.",
    true,
  ],
  ["Unsupported parameter: 'temperature' is not supported with this model.", true],
  ['`temperature` is deprecated for this model.', true],
  ['`temperature` may only be set to 1 when thinking is enabled or in adaptive mode.', true],
  ['temperature: must be less than or equal to 1', false],
  ["Invalid 'temperature': decimal above maximum value. Expected a value <= 2, but got 3 instead.", false],
])('of the refusal %j the temperature is to blame: %s', (message, expected) => {
  expect(temperatureDropped.blames.test(message)).toBe(expected);
});

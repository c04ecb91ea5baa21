/** What the client under test answers when it is asked: forms by their defaults, a fixed text, one folder. */
import type { ClientOptions } from 'tenon/client';

type Handler<Name extends keyof ClientOptions> = NonNullable<ClientOptions[Name]>;
type Fields = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/** What is filled in where a form says nothing. */
const byType: Fields = { string: 'text', number: 1, integer: 1, boolean: true, array: [] };

/** Accepts a form as it is filled in, and fills in the rest. */
export const acceptWithDefaults: Handler<'onElicit'> = question => {
  if (question.mode === 'url') return { action: 'accept' };
  const properties = (question.requestedSchema['properties'] ?? {}) as Record<
    string,
    Record<string, unknown>
  >;
  const content = Object.entries(properties).map(([name, property]) => [
    name,
    property['default'] ?? byType[String(property['type'])] ?? 'text',
  ]);
  return { action: 'accept', content: Object.fromEntries(content) as Fields };
};

export const model: Handler<'onSample'> = () => ({
  role: 'assistant',
  content: { type: 'text', text: 'Paris' },
  model: 'fixed-answers',
  stopReason: 'endTurn',
});

export const folders: Handler<'onRoots'> = () => [{ uri: 'file:///conformance', name: 'conformance' }];

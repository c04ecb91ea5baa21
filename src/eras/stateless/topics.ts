/** What extensions let a client watch, on the server: which ids a subscription is given, and how their news travel. */
import type { Call } from '../../protocol/call.ts';
import type { Topic } from '../../protocol/extension.ts';
import { readObject } from '../../protocol/identity.ts';
import type { Id, Params } from '../../rpc/message.ts';
import { metaKeys } from './envelope.ts';

/** The part of a subscription that extensions serve. */
export interface WatchedTopics {
  /** Members of the filter that are honoured. */
  readonly members: Params;
  /** Calls `send` with each tagged notification until the function it returns is called. */
  listen(send: (message: { method: string; params: Params }) => void): () => void;
}

/** Reads what `call` asks of the topics there are. Throws what a topic refuses the caller with. */
export function watchTopics(topics: Readonly<Record<string, Topic>>, call: Call & { id: Id }): WatchedTopics {
  const asked = readObject(call.params['notifications']);
  const watched = Object.entries(topics).flatMap(([member, topic]) => {
    const ids = asked[member];
    if (!Array.isArray(ids)) return [];
    const admitted = topic.admit(
      ids.filter(id => typeof id === 'string'),
      call,
    );
    return [{ member, topic, admitted }];
  });
  return {
    members: Object.fromEntries(watched.map(({ member, admitted }) => [member, admitted])),
    listen(send) {
      const stops = watched.map(({ topic, admitted }) => {
        const ids = new Set(admitted);
        return topic.onNews(({ id, method, params }) => {
          if (!ids.has(id)) return;
          const _meta = { ...readObject(params['_meta']), [metaKeys.subscription]: call.id };
          send({ method, params: { ...params, _meta } });
        });
      });
      return () => {
        for (const stop of stops) stop();
      };
    },
  };
}

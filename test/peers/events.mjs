/** Keeps the events of reply streams in memory, in the form that both official lines want it. */

/** A store for one session; ids count up within a stream. */
export function memoryEventStore() {
  const events = [];
  return {
    async storeEvent(streamId, message) {
      const id = `${streamId}/${events.length}`;
      events.push({ id, streamId, message });
      return id;
    },
    async getStreamIdForEventId(id) {
      return events.find(event => event.id === id)?.streamId;
    },
    async replayEventsAfter(lastEventId, { send }) {
      const at = events.findIndex(event => event.id === lastEventId);
      const { streamId } = events[at] ?? {};
      if (at < 0) throw new Error(`no event ${lastEventId}`);
      for (const { id, streamId: of, message } of events.slice(at + 1)) {
        if (of === streamId && Object.keys(message).length > 0) await send(id, message);
      }
      return streamId;
    },
  };
}

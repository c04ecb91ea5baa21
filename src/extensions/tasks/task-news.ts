/** News of a followed task as the server tells them: never believed, only taken as a sign to look at once. */
import type { ClientAccess } from '../../protocol/extension.ts';
import type { TaskView } from './task-view.ts';

export class TaskNews {
  readonly #controller = new AbortController();
  #seen: string | undefined;
  #wake: () => void = () => {};

  constructor(taskId: string, access: ClientAccess) {
    access.listen({ taskIds: [taskId] }, this.#controller.signal, (method, params) => {
      // Of all that changes only the status is worth a look before its time.
      const known = method === 'notifications/tasks' && params['taskId'] === taskId;
      if (known && params['status'] !== this.#seen) this.#wake();
    });
  }

  /** Resolves once the server tells of another status than that of `view`. */
  since(view: TaskView): Promise<void> {
    this.#seen = view.status;
    return new Promise(resolve => {
      this.#wake = resolve;
    });
  }

  stop(): void {
    this.#controller.abort(new DOMException('the task is not followed any more', 'AbortError'));
  }
}

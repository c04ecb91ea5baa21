/** The public names of `tenon/extensions/tasks`: calls of tools that go on after their answer. */
export type { OnStatus } from '../../extensions/tasks/await-task.ts';
export { type MemoryStoreOptions, MemoryTaskStore, type TaskStore } from '../../extensions/tasks/store.ts';
export type { TaskRecord, TaskStatus } from '../../extensions/tasks/task.ts';
export { isTaskCancelled, TaskCancelledError } from '../../extensions/tasks/task-cancelled.ts';
export type { HandleOptions, TaskClient, TaskHandle } from '../../extensions/tasks/task-handle.ts';
export type { TaskView } from '../../extensions/tasks/task-view.ts';
export { type Tasks, type TasksOptions, tasks } from '../../extensions/tasks/tasks.ts';

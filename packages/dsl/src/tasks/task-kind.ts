import type { BuiltInCall, BuiltInCallTask, CallTask, ClassifiedTask, Task, TaskKind } from '#src/shape/task-shapes.ts'

/** The keys that decide the kind of a task; `for` is first, because a loop has `do` as well. */
export const taskKinds = [
  'for',
  'call',
  'do',
  'emit',
  'fork',
  'listen',
  'raise',
  'run',
  'set',
  'switch',
  'try',
  'wait',
] as const satisfies readonly TaskKind[]

/** The kind of a task of a valid definition. */
export function taskKind(task: Task): TaskKind {
  return classifyTask(task).kind
}

/** A task with its kind beside it, so that a `switch` over the kind narrows the task. */
export function classifyTask(task: Task): ClassifiedTask {
  if ('for' in task) return { kind: 'for', task }
  if ('call' in task) return { kind: 'call', task }
  if ('do' in task) return { kind: 'do', task }
  if ('emit' in task) return { kind: 'emit', task }
  if ('fork' in task) return { kind: 'fork', task }
  if ('listen' in task) return { kind: 'listen', task }
  if ('raise' in task) return { kind: 'raise', task }
  if ('run' in task) return { kind: 'run', task }
  if ('set' in task) return { kind: 'set', task }
  if ('switch' in task) return { kind: 'switch', task }
  return 'try' in task ? { kind: 'try', task } : { kind: 'wait', task }
}

/** Whether a call is the built-in call of this name. */
export function isCallOf<Name extends BuiltInCall>(task: CallTask, name: Name): task is CallTask & BuiltInCallTask<Name> {
  return task.call === name
}

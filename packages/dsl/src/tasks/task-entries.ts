import type { Task, TaskList } from '#src/shape/task-shapes.ts'

/** One task of a list with its name and index. */
export interface TaskEntry {
  readonly name: string
  readonly task: Task
  readonly index: number
}

/** The tasks of a list of a valid definition, in order. */
export function taskEntries(list: TaskList): TaskEntry[] {
  const entries: TaskEntry[] = []
  for (const [index, item] of list.entries()) {
    for (const [name, task] of Object.entries(item)) entries.push({ name, task, index })
  }
  return entries
}

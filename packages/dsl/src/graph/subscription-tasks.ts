import { isCallOf } from '#src/tasks/task-kind.ts'
import type { Task, TaskList } from '#src/shape/task-shapes.ts'

/** The tasks that a listener or an AsyncAPI subscription runs for each event, and their position in the task. */
export function subscriptionTasks(task: Task): { readonly tasks: TaskList; readonly at: readonly string[] } | undefined {
  if ('listen' in task) return task.foreach?.do === undefined ? undefined : { tasks: task.foreach.do, at: ['foreach', 'do'] }
  if (!('call' in task) || !isCallOf(task, 'asyncapi')) return undefined
  const tasks = task.with.subscription?.foreach?.do
  return tasks === undefined ? undefined : { tasks, at: ['with', 'subscription', 'foreach', 'do'] }
}

import { childPointer } from '#src/parse/pointer.ts'
import type { Definition } from '#src/shape/definition-shape.ts'
import type { ClassifiedTask, Task, TaskList } from '#src/shape/task-shapes.ts'
import { taskEntries } from './task-entries.ts'
import { classifyTask } from './task-kind.ts'

/** A task with its kind and its JSON Pointer. */
export type PlacedTask = ClassifiedTask & { readonly pointer: string }

/** All tasks of a definition, including those inside other tasks, of functions and of extensions. */
export function* eachTask({ do: main, use }: Pick<Definition, 'do' | 'use'>): Generator<PlacedTask> {
  yield* inList(main, '/do')
  for (const [name, task] of Object.entries(use?.functions ?? {})) yield* inTask(task, childPointer('/use/functions', name))
  for (const [index, item] of (use?.extensions ?? []).entries()) {
    for (const [name, { before = [], after = [] }] of Object.entries(item)) {
      const at = childPointer(`/use/extensions/${index}`, name)
      yield* inList(before, `${at}/before`)
      yield* inList(after, `${at}/after`)
    }
  }
}

function* inList(list: TaskList, pointer: string): Generator<PlacedTask> {
  for (const { name, task, index } of taskEntries(list)) yield* inTask(task, childPointer(`${pointer}/${index}`, name))
}

function* inTask(task: Task, pointer: string): Generator<PlacedTask> {
  yield { ...classifyTask(task), pointer }
  for (const [inner, key] of listsOf(task)) yield* inList(inner, `${pointer}/${key}`)
}

function listsOf(anyTask: Task): readonly (readonly [TaskList, string])[] {
  const { kind, task } = classifyTask(anyTask)
  switch (kind) {
    case 'do':
    case 'for':
      return [[task.do, 'do']]
    case 'fork':
      return [[task.fork.branches, 'fork/branches']]
    case 'try':
      return task.catch.do === undefined
        ? [[task.try, 'try']]
        : [
            [task.try, 'try'],
            [task.catch.do, 'catch/do'],
          ]
    case 'listen':
      return task.foreach?.do === undefined ? [] : [[task.foreach.do, 'foreach/do']]
    default:
      return []
  }
}

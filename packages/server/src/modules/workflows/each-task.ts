import { classifyTask, type Task, type TaskList, taskEntries } from '@millrace/dsl'

type Classified = ReturnType<typeof classifyTask>

/** A task with its kind and its JSON Pointer. */
export type PlacedTask = Classified & { readonly pointer: string }

/** All tasks of a list, those inside of others included, in the order of the text. */
export function* eachTask(list: TaskList, pointer: string): Generator<PlacedTask> {
  for (const { name, task, index } of taskEntries(list)) {
    const at = `${pointer}/${index}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
    yield { ...classifyTask(task), pointer: at }
    for (const [inner, key] of listsOf(task)) yield* eachTask(inner, `${at}/${key}`)
  }
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

import { isSameValue } from './is-same-value.ts'
import { longestCommon } from './longest-common.ts'
import { type ListedTask, listedTasks } from './listed-tasks.ts'

/** A difference between two definitions. Tasks are named by the names of the tasks around them: `loop/pay`. */
export type DefinitionChange =
  | { readonly kind: 'added'; readonly path: string; readonly pointer: string }
  | { readonly kind: 'removed'; readonly path: string; readonly pointer: string }
  /** The same task under another name in the same list. */
  | { readonly kind: 'renamed'; readonly path: string; readonly from: string; readonly pointer: string }
  /** Another order among the tasks that both lists have. */
  | { readonly kind: 'moved'; readonly path: string; readonly pointer: string }
  /** The members that differ: of a task, without the tasks in it; of the document, with an empty path. */
  | { readonly kind: 'changed'; readonly path: string; readonly pointer: string; readonly members: readonly string[] }

type Document = Readonly<Record<string, unknown>>

/** Compares two definitions by what they say: order of members, comments and formatting do not count. */
export function diffDefinitions(before: Document, after: Document): readonly DefinitionChange[] {
  const [old, young] = [listedTasks(before), listedTasks(after)]
  const oldByPath = new Map(old.map((task) => [task.path, task]))
  const youngByPath = new Map(young.map((task) => [task.path, task]))
  const renamed = renames(
    old.filter(({ path }) => !youngByPath.has(path)),
    young.filter(({ path }) => !oldByPath.has(path)),
  )
  const oldPathOf = (path: string) => oldPath(path, renamed)
  const gone = old.filter(({ path }) => !young.some((task) => oldPathOf(task.path) === path))
  return [
    ...documentChanges(before, after),
    ...gone.filter((task) => isOutermost(task, gone)).map(({ path, pointer }) => ({ kind: 'removed', path, pointer }) as const),
    ...young.flatMap((task) => changesOf(task, oldByPath.get(oldPathOf(task.path)), renamed.get(task.path))),
    ...movedTasks(old, young, oldPathOf),
  ].filter((change) => change.kind !== 'added' || !isInAdded(change.path, young, oldByPath, oldPathOf))
}

function changesOf(
  { path, pointer, body }: ListedTask,
  old: ListedTask | undefined,
  from: string | undefined,
): readonly DefinitionChange[] {
  if (old === undefined) return [{ kind: 'added', path, pointer }]
  const members = differingMembers(old.body, body)
  return [
    ...(from === undefined ? [] : [{ kind: 'renamed', path, from, pointer } as const]),
    ...(members.length === 0 ? [] : [{ kind: 'changed', path, pointer, members } as const]),
  ]
}

function documentChanges({ do: _old, ...before }: Document, { do: _young, ...after }: Document): readonly DefinitionChange[] {
  const members = differingMembers(before, after)
  return members.length === 0 ? [] : [{ kind: 'changed', path: '', pointer: '', members }]
}

function differingMembers(before: Document, after: Document): readonly string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names].filter((name) => !isSameValue(before[name], after[name]))
}

/** Tasks of one list with the same content: the new path of each with its old one. */
function renames(gone: readonly ListedTask[], added: readonly ListedTask[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  const taken = new Set<string>()
  for (const task of added) {
    const same = gone.find((old) => old.list === task.list && !taken.has(old.path) && isSameValue(old.task, task.task))
    if (same === undefined) continue
    taken.add(same.path)
    found.set(task.path, same.path)
  }
  return found
}

/** The path that a task had before it, or a task around it, was renamed. */
function oldPath(path: string, renamed: ReadonlyMap<string, string>): string {
  const own = renamed.get(path)
  if (own !== undefined) return own
  for (const [now, before] of renamed) if (path.startsWith(`${now}/`)) return `${before}${path.slice(now.length)}`
  return path
}

function movedTasks(
  old: readonly ListedTask[],
  young: readonly ListedTask[],
  oldPathOf: (path: string) => string,
): readonly DefinitionChange[] {
  const oldLists = Map.groupBy(old, ({ list }) => list)
  return [...Map.groupBy(young, ({ list }) => list)].flatMap(([list, tasks]) => {
    const before = (oldLists.get(oldPathOf(list)) ?? []).map(({ path }) => path)
    const common = tasks.filter(({ path }) => before.includes(oldPathOf(path)))
    const paths = common.map(({ path }) => oldPathOf(path))
    const kept = longestCommon(
      before.filter((path) => paths.includes(path)),
      paths,
    )
    return common.filter(({ path }) => !kept.has(oldPathOf(path))).map(({ path, pointer }) => ({ kind: 'moved', path, pointer }) as const)
  })
}

function isOutermost({ path }: ListedTask, all: readonly ListedTask[]): boolean {
  return !all.some((other) => path.startsWith(`${other.path}/`))
}

/** Whether a task is in one that was added, which says it already. */
function isInAdded(
  path: string,
  young: readonly ListedTask[],
  old: ReadonlyMap<string, ListedTask>,
  oldPathOf: (path: string) => string,
): boolean {
  return young.some((task) => path.startsWith(`${task.path}/`) && !old.has(oldPathOf(task.path)))
}

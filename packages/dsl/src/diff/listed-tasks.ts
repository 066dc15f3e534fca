import { childPointer } from '#src/parse/pointer.ts'

/** A task with what is its own. */
export interface ListedTask {
  /** Names of the tasks around it and its own, with the list where a task has several: `risky/catch/notify`. */
  readonly path: string
  readonly pointer: string
  /** The path of its list. */
  readonly list: string
  readonly task: unknown
  /** Its members without the tasks in it. */
  readonly body: Readonly<Record<string, unknown>>
}

type Members = Readonly<Record<string, unknown>>

/** Every task of a definition, each before those in it. */
export function listedTasks({ do: main }: Members): readonly ListedTask[] {
  return inList(main, '', '/do')
}

function inList(list: unknown, path: string, pointer: string): readonly ListedTask[] {
  if (!Array.isArray(list)) return []
  return list.flatMap((entry: unknown, index) => {
    const [name, task] = isMembers(entry) ? (Object.entries(entry)[0] ?? []) : []
    if (name === undefined || !isMembers(task)) return []
    const own = path === '' ? name : `${path}/${name}`
    const at = childPointer(`${pointer}/${index}`, name)
    const { lists, body } = split(task)
    const inner = lists.flatMap(({ key, tasks, label }) => inList(tasks, label === undefined ? own : `${own}/${label}`, `${at}/${key}`))
    return [{ path: own, pointer: at, list: path, task, body }, ...inner]
  })
}

interface InnerList {
  readonly key: string
  readonly tasks: unknown
  /** Distinguishes lists of one task. */
  readonly label: string | undefined
}

function split({ do: body, try: tried, ...task }: Members): { readonly lists: readonly InnerList[]; readonly body: Members } {
  const lists: InnerList[] = []
  const rest: Record<string, unknown> = { ...task }
  if (body !== undefined) lists.push({ key: 'do', tasks: body, label: undefined })
  if (tried !== undefined) lists.push({ key: 'try', tasks: tried, label: undefined })
  for (const [member, inner, label] of [
    ['catch', 'do', 'catch'],
    ['fork', 'branches', undefined],
    ['foreach', 'do', 'foreach'],
  ] as const) {
    const value = rest[member]
    if (!isMembers(value) || value[inner] === undefined) continue
    const { [inner]: tasks, ...others } = value
    lists.push({ key: `${member}/${inner}`, tasks, label })
    rest[member] = others
  }
  return { lists, body: rest }
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

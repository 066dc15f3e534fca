import { type Path, pointerKeys, pointerOf } from '#src/parse/pointer.ts'
import { isObject } from '#src/shape/variables.ts'
import type { ExpressionSite, Facts, Finding, ListEntry, ListSite } from '#src/validate/facts.ts'
import { quoted } from '#src/validate/wording.ts'

/** An expression that may read a verdict, with what is true for every approval. */
interface Reader {
  readonly pointer: string
  /** The index of its task in the outermost list; undefined outside of that list. */
  readonly index: number | undefined
  readonly source: string
  readonly readsVerdict: boolean
  readonly readsChoice: boolean
}

/** Warns of an approval after which the workflow continues alike, whatever people decide. */
export function checkVerdicts({ lists, expressions, findings }: Facts): void {
  const approvals = lists.flatMap(({ branches, entries }) =>
    // A branch of a fork passes its output on to the fork.
    branches ? [] : entries.flatMap((entry, index) => (isApproval(entry) ? [{ entry, isLast: index === entries.length - 1 }] : [])),
  )
  if (approvals.length === 0) return
  const followed = followedPlaces(lists)
  const readers = readersOf(expressions)
  const isOnce = passedOnce(lists)
  for (const { entry, isLast } of approvals) {
    if (isLast && !followed(entry.path.parent?.parent?.parent)) continue
    const pointer = pointerOf(entry.path)
    const own = `${pointer}/`
    const index = indexIn(pointer)
    const endsBefore = index !== undefined && pointerKeys(pointer).length === 3 && isOnce(index) ? index : 0
    const isRead = readers.some((reader) => {
      if (reader.index !== undefined && reader.index < endsBefore) return false
      const isOwn = reader.pointer.startsWith(own)
      return (!isOwn || passesOn(reader.pointer.slice(own.length))) && readsVerdict(reader, entry, isOwn)
    })
    if (!isRead) findings.push(unread(entry))
  }
}

/** Expressions beyond what a start is made of. */
function readersOf(expressions: readonly ExpressionSite[]): readonly Reader[] {
  return expressions.flatMap(({ path, source }) => {
    const pointer = pointerOf(path)
    if (/^\/(?:document|input|schedule)\//.test(pointer)) return []
    const isVerdict = verdict.test(source) || everything.test(source)
    return [{ pointer, index: indexIn(pointer), source, readsVerdict: isVerdict, readsChoice: choice.test(source) }]
  })
}

function indexIn(pointer: string): number | undefined {
  const [, index] = /^\/do\/(\d+)\//.exec(pointer) ?? []
  return index === undefined ? undefined : Number(index)
}

function isApproval({ task }: ListEntry): boolean {
  if (!isObject(task) || task['call'] !== 'approve') return false
  return task['then'] !== 'end' && task['then'] !== 'exit'
}

/** Whether something follows the task at a path whose output is that of its last task: then that output is not a result of the workflow. */
function followedPlaces(lists: readonly ListSite[]): (task: Path | undefined) => boolean {
  const places = new Map(
    lists.flatMap(({ branches, entries }) =>
      branches ? [] : entries.map((entry, index) => [pointerOf(entry.path), { entry, isLast: index === entries.length - 1 }] as const),
    ),
  )
  const followed = (task: Path | undefined): boolean => {
    const place = places.get(pointerOf(task))
    if (place === undefined || !isObject(place.entry.task) || !('do' in place.entry.task) || 'for' in place.entry.task) return false
    const { then } = place.entry.task
    if (['output', 'export'].some((key) => Object.hasOwn(Object(place.entry.task), key)) || then === 'end' || then === 'exit') return false
    return !place.isLast || followed(place.entry.path.parent?.parent?.parent)
  }
  return followed
}

/** Whether the tasks of the outermost list before an index never run again: nothing from there on leads back to them or to the task itself. */
function passedOnce(lists: readonly ListSite[]): (index: number) => boolean {
  const outermost = lists.find(({ entries: [entry] }) => entry !== undefined && pointerKeys(pointerOf(entry.path)).length === 3)
  const entries = (outermost?.entries ?? []).map(({ name, path, task }) => ({ name, task, index: indexIn(pointerOf(path)) ?? 0 }))
  const places = new Map(entries.toReversed().map(({ name, index }) => [name, index]))
  // The first task that those from an index on lead to, by that index.
  const leadTo = new Map<number, number>()
  let first = Number.POSITIVE_INFINITY
  for (const { task, index } of entries.toReversed()) {
    for (const target of targetsOf(task)) first = Math.min(first, places.get(target) ?? first)
    leadTo.set(index, first)
  }
  return (index) => (leadTo.get(index) ?? 0) > index
}

function targetsOf(task: unknown): readonly string[] {
  if (Array.isArray(task)) return task.flatMap(targetsOf)
  if (typeof task !== 'object' || task === null) return []
  return Object.entries(task).flatMap(([key, value]) => (key === 'then' && typeof value === 'string' ? [value] : targetsOf(value)))
}

/** Whether an expression of the approval itself makes what later tasks read. */
function passesOn(within: string): boolean {
  return within.startsWith('output/') || within.startsWith('export/')
}

/** A member of the output that depends on the decision, as a path, a member of an object, or a text of its own. */
const verdict = readingOf('approved|outcome|decision|answers')
const choice = readingOf('data')
/** All of the data, which the next task may pass on. */
const everything = /(?:^|[\s([{,|:])\.(?:$|[\s)\]},|])/
/** Reads of members of the output of a step that say nothing of the decision. */
const neutralRead = /\$steps\s*\.\s*(\w+)\s*\.\s*(?:details|approval|decidedAt)\b/g

function readingOf(names: string): RegExp {
  return new RegExp(String.raw`\.\s*"?(?:${names})\b|[{,]\s*\$?(?:${names})\s*[,}:]|"(?:${names})"`)
}

function readsVerdict({ source, ...reader }: Reader, { name, task }: ListEntry, isOwn: boolean): boolean {
  if (reader.readsVerdict || (!isOwn && readsStep(source, name))) return true
  const args = isObject(task) ? task['with'] : undefined
  return reader.readsChoice && isObject(args) && 'form' in args
}

/** Whether an expression reads the output of a step, beyond the members that say nothing of the decision. */
function readsStep(source: string, name: string): boolean {
  if (!source.includes('$steps')) return false
  if (/\$steps(?!\s*[.[])/.test(source)) return true
  if (!source.includes(name)) return false
  const others = source.replaceAll(neutralRead, (whole, step) => (step === name ? '' : whole))
  return others.includes('$steps') && others.includes(name)
}

function unread({ name, path }: ListEntry): Finding {
  const message = `Nothing reads the verdict of ${quoted(name)}: the workflow continues alike when it is rejected.`
  const hint =
    'Add a switch behind it, with a case such as approved: { when: .approved, then: … }, or an if to the tasks that need the approval.'
  return { code: 'unread_verdict', severity: 'warning', path, at: 'key', message, hint }
}

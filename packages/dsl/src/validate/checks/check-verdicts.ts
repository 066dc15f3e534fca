import { type Path, pointerKeys, pointerOf } from '#src/parse/pointer.ts'
import { isObject } from '#src/shape/variables.ts'
import type { ExpressionSite, Facts, Finding, ListEntry, ListSite } from '#src/validate/facts.ts'
import { quoted } from '#src/validate/wording.ts'

/** Warns of an approval after which the workflow continues alike, whatever people decide. */
export function checkVerdicts({ lists, expressions, findings }: Facts): void {
  const followed = followedPlaces(lists)
  for (const { branches, entries } of lists) {
    // A branch of a fork passes its output on to the fork.
    for (const [index, entry] of branches ? [] : entries.entries()) {
      if (!isApproval(entry) || !(index < entries.length - 1 || followed(entry.path.parent?.parent?.parent))) continue
      const own = `${pointerOf(entry.path)}/`
      const earlier = earlierPlaces({ branches, entries }, index)
      const readers = expressions.filter(({ path }) => {
        const pointer = pointerOf(path)
        return isLater(pointer, earlier) && (!pointer.startsWith(own) || passesOn(pointer.slice(own.length)))
      })
      if (!readers.some((site) => readsVerdict(site, entry, pointerOf(site.path).startsWith(own)))) findings.push(unread(entry))
    }
  }
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

/** The pointers of the tasks of the outermost list that run before and never again; none where something leads back or repeats. */
function earlierPlaces({ entries }: ListSite, index: number): readonly string[] {
  const [entry] = entries
  if (entry === undefined || pointerKeys(pointerOf(entry.path)).length !== 3) return []
  const names = new Set(entries.slice(0, index + 1).map(({ name }) => name))
  const leadsBack = entries.slice(index).some(({ task }) => targetsOf(task).some((target) => names.has(target)))
  return leadsBack ? [] : entries.slice(0, index).map(({ path }) => `${pointerOf(path)}/`)
}

function targetsOf(task: unknown): readonly string[] {
  if (Array.isArray(task)) return task.flatMap(targetsOf)
  if (typeof task !== 'object' || task === null) return []
  return Object.entries(task).flatMap(([key, value]) => (key === 'then' && typeof value === 'string' ? [value] : targetsOf(value)))
}

/** Whether an expression may run behind an approval: not in an earlier task, and not in what a start is made of. */
function isLater(pointer: string, earlier: readonly string[]): boolean {
  return !/^\/(?:document|input|schedule)\//.test(pointer) && !earlier.some((place) => pointer.startsWith(place))
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
/** Members of the output that say nothing of the decision. */
const neutral = String.raw`\.\s*(?:details|approval|decidedAt)\b`

function readingOf(names: string): RegExp {
  return new RegExp(String.raw`\.\s*"?(?:${names})\b|[{,]\s*\$?(?:${names})\s*[,}:]|"(?:${names})"`)
}

function readsVerdict({ source }: ExpressionSite, { name, task }: ListEntry, isOwn: boolean): boolean {
  if (verdict.test(source) || everything.test(source)) return true
  if (!isOwn && readsStep(source, name)) return true
  const args = isObject(task) ? task['with'] : undefined
  return isObject(args) && 'form' in args && choice.test(source)
}

/** Whether an expression reads the output of a step, beyond the members that say nothing of the decision. */
function readsStep(source: string, name: string): boolean {
  if (!source.includes('$steps')) return false
  if (/\$steps(?!\s*[.[])/.test(source)) return true
  const others = source.replaceAll(new RegExp(String.raw`\$steps\s*\.\s*(\w+)\s*${neutral}`, 'g'), (whole, step) =>
    step === name ? '' : whole,
  )
  return others.includes('$steps') && others.includes(name)
}

function unread({ name, path }: ListEntry): Finding {
  const message = `Nothing reads the verdict of ${quoted(name)}: the workflow continues alike when it is rejected.`
  const hint =
    'Add a switch behind it, with a case such as approved: { when: .approved, then: … }, or an if to the tasks that need the approval.'
  return { code: 'unread_verdict', severity: 'warning', path, at: 'key', message, hint }
}

import type { Path } from '#src/parse/pointer.ts'
import { isObject } from '#src/shape/variables.ts'
import { type Directive, type Flow, flowOf } from '#src/tasks/directives.ts'
import { indexesByName } from '#src/tasks/list-flow.ts'
import type { Json } from '#src/json.ts'
import type { Facts, Finding, ListEntry, Suggestions } from '#src/validate/facts.ts'
import { chain, firstOf, meantName, quoted } from '#src/validate/wording.ts'

const keywords: ReadonlySet<string> = new Set(['continue', 'exit', 'end'])

/** Checks every list of tasks: the targets of its directives, and whether each task is reachable. */
export function checkFlow(facts: Facts): void {
  const everywhere = new Set(facts.lists.flatMap((list) => list.entries.map((entry) => entry.name)))
  for (const { branches, entries } of facts.lists) {
    const siblings = branches ? new Map<string, number>() : indexesByName(entries)
    const around = { branches, siblings, everywhere }
    const flows = entries.map((entry) => flowOf(entry.task))
    for (const [index, entry] of entries.entries()) {
      if (keywords.has(entry.name)) facts.findings.push(reserved(entry))
      for (const directive of flows[index]?.directives ?? []) {
        if (keywords.has(directive.target) || siblings.has(directive.target)) continue
        facts.findings.push(dangling(facts.suggestions, entry, directive, around))
      }
      facts.findings.push(...surplusDefaults(entry))
    }
    if (branches) continue
    facts.findings.push(...unreachable(entries, flows, siblings))
    for (const index of entries.keys()) facts.findings.push(...fallIntoCase(index, entries, flows))
  }
}

function pathBelow(path: Path, keys: readonly (string | number)[]): Path {
  return keys.reduce<Path>((parent, key) => ({ parent, key }), path)
}

function reserved(entry: ListEntry): Finding {
  const message = `A task named ${quoted(entry.name)} cannot be led to: the word is a flow directive.`
  return { code: 'reserved_name', severity: 'warning', path: entry.path, at: 'key', message, hint: 'Choose another name.' }
}

/** The list of a directive, and the names of all tasks of the document. */
interface Around {
  readonly branches: boolean
  readonly siblings: ReadonlyMap<string, number>
  readonly everywhere: ReadonlySet<string>
}

function dangling(suggestions: Suggestions, entry: ListEntry, directive: Directive, { branches, siblings, everywhere }: Around): Finding {
  const path = pathBelow(entry.path, directive.at)
  const base = { code: 'dangling_then', path, at: 'value' } as const
  const target = quoted(directive.target)
  if (branches) {
    const message = `A branch cannot lead to ${target}: branches run side by side.`
    return { ...base, message, hint: 'Remove the directive, or wrap the tasks that follow each other in one branch with do.' }
  }
  const options = `Write continue, exit, end, or a task of the same list: ${firstOf(siblings.keys(), 10).join(', ')}.`
  if (everywhere.has(directive.target)) {
    const message = `The task ${target} is in another list; a directive leads only to tasks of its own list.`
    return { ...base, message, hint: options }
  }
  const hint = meantName(suggestions, directive.target, chain(siblings.keys(), keywords), options)
  return { ...base, message: `There is no task ${target} to continue with.`, hint }
}

/** The cases of a switch without a condition. */
function defaultsOf({ task }: ListEntry): readonly { readonly name: string; readonly index: number }[] {
  const cases = isObject(task) ? task['switch'] : undefined
  if (!Array.isArray(cases)) return []
  return cases.flatMap((item: Json, index) => {
    const names = isObject(item) ? Object.entries(item) : []
    return names.filter(([, content]) => isObject(content) && !('when' in content)).map(([name]) => ({ name, index }))
  })
}

/** Every case without a condition after the first one. */
function surplusDefaults(entry: ListEntry): Finding[] {
  const defaults = defaultsOf(entry)
  return defaults.slice(1).map(({ name, index }) => ({
    code: 'multiple_defaults',
    path: pathBelow(entry.path, ['switch', index, name]),
    at: 'key',
    message: `The case ${quoted(name)} has no condition, and neither has ${quoted(defaults[0]?.name ?? '')}.`,
    hint: 'A switch has one default at most: add when: to all others.',
  }))
}

/** A switch without a default that is followed by the task of one of its cases: a run that matches no case takes the way of that one. */
function fallIntoCase(index: number, entries: readonly ListEntry[], flows: readonly Flow[]): Finding[] {
  const [entry, next, flow] = [entries[index], entries[index + 1], flows[index]]
  if (entry === undefined || next === undefined || flow?.fallsThrough !== true || defaultsOf(entry).length > 0) return []
  const taken = flow.directives.find(({ kind, target }) => kind === 'case' && target === next.name)
  if (taken === undefined) return []
  const message = `If no case of ${quoted(entry.name)} matches, a run continues with the task ${quoted(next.name)}, as in its case ${quoted(taken.label ?? '')}.`
  const hint = 'Add a case without when: that says where all others lead.'
  return [{ code: 'switch_falls_through', severity: 'warning', path: entry.path, at: 'key', message, hint }]
}

/** Unreachable tasks; of consecutive ones only the first, where the mistake is. */
function unreachable(entries: readonly ListEntry[], flows: readonly Flow[], siblings: ReadonlyMap<string, number>): Finding[] {
  const reached = new Set<number>()
  reach(0, reached, entries, flows, siblings)
  const findings: Finding[] = []
  for (const [index, entry] of entries.entries()) {
    if (reached.has(index)) continue
    reach(index, reached, entries, flows, siblings)
    const message = `No run can reach the task ${quoted(entry.name)}.`
    const hint = 'Lead to it with then: from a task that is reached, or remove it.'
    findings.push({ code: 'unreachable_task', severity: 'warning', path: entry.path, at: 'key', message, hint })
  }
  return findings
}

/** Adds the indexes of all tasks that are reachable from one of them. */
function reach(
  from: number,
  reached: Set<number>,
  entries: readonly ListEntry[],
  flows: readonly Flow[],
  siblings: ReadonlyMap<string, number>,
): void {
  const open = [from]
  for (let index = open.pop(); index !== undefined; index = open.pop()) {
    if (index >= entries.length || reached.has(index)) continue
    reached.add(index)
    const flow = flows[index]
    if (flow === undefined) continue
    if (flow.fallsThrough) open.push(index + 1)
    for (const { target, effective } of flow.directives) {
      if (!effective || target === 'exit' || target === 'end') continue
      // A dangling directive is reported already; the tasks after it are not reported as unreachable as well.
      open.push((target === 'continue' ? undefined : siblings.get(target)) ?? index + 1)
    }
  }
}

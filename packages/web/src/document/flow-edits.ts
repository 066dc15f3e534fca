import type { Json, JsonObject } from '@millrace/dsl'
import type { Edit } from '@millrace/dsl/edit'
import { allNames, below, freeName, isObject, jsonAt, namesIn, placeOf, taskAt } from '#src/document/task-json.ts'
import type { SlotPlace } from '#src/flow/flow-editing.ts'

/**
 * Adds a task in a gap, and behind it further ones that belong to it: each member of `task` is one. In a lane of a switch the jumps are adapted, so that the way still leads through the
 * new tasks to where it led.
 */
export function insertEdits(document: Json, slot: SlotPlace, task: JsonObject): readonly Edit[] {
  const { list, index, lane } = slot
  const [wanted = 'step'] = Object.keys(task)
  // Unlike any other of the document, so that a list, a timeline or a mail with the name is clear.
  const taken = allNames(document)
  const name = freeName(wanted, taken)
  const further = Object.entries(task).slice(1)
  const tasks = [{ [name]: task[wanted] ?? null }, ...further.map(([key, value]) => ({ [freeName(key, taken)]: value }))]
  if (lane === undefined) return [insertion(list, index, ...tasks)]
  const { block, owner } = lane
  const enters = block.from === index ? caseEdits(document, owner.reference, block.label.split(', '), name) : []
  if (block.from === block.to) {
    const to = block.leaves === 'join' ? (namesIn(document, list)[block.to] ?? 'exit') : block.leaves
    return [...guardBefore(document, list, index, owner.index), ...enters, insertion(list, index, ...leadingTo(tasks, to))]
  }
  const last = taskAt(document, list, block.to - 1)
  const then = index === block.to && last !== undefined ? jsonAt(document, below(last, 'then')) : undefined
  if (typeof then !== 'string' || last === undefined) return [...enters, insertion(list, index, ...tasks)]
  return [{ kind: 'unset', pointer: below(last, 'then') }, insertion(list, index, ...leadingTo(tasks, then))]
}

function insertion(list: string, at: number, ...tasks: readonly JsonObject[]): Edit {
  return { kind: 'insert', list, at, tasks }
}

/** Tasks of which the last leads to a task. */
function leadingTo(tasks: readonly JsonObject[], then: string): readonly JsonObject[] {
  return tasks.map((task, index) => {
    const [[name, body] = ['', null]] = Object.entries(task)
    return index < tasks.length - 1 ? task : { [name]: isObject(body) ? { ...body, then } : { then } }
  })
}

/** The task before a new lane must not run into it. */
function guardBefore(document: Json, list: string, index: number, switchAt: number): readonly Edit[] {
  const before = index - 1 > switchAt ? taskAt(document, list, index - 1) : undefined
  if (before === undefined || jsonAt(document, below(before, 'then')) !== undefined) return []
  return [{ kind: 'set', pointer: below(before, 'then'), value: namesIn(document, list)[index] ?? 'exit' }]
}

/** Points cases of a switch at a task. */
function caseEdits(document: Json, task: string, cases: readonly string[], name: string): readonly Edit[] {
  const all = jsonAt(document, below(task, 'switch'))
  if (!Array.isArray(all)) return []
  return all.flatMap((item, index): Edit[] => {
    const [key] = isObject(item) ? Object.keys(item) : []
    if (key === undefined || !cases.includes(key)) return []
    return [{ kind: 'set', pointer: below(below(below(below(task, 'switch'), index), key), 'then'), value: name }]
  })
}

/** Removes a task; what led to it leads to the task after it. */
export function removeEdits(document: Json, task: string): readonly Edit[] {
  const { list, index, name } = placeOf(task)
  const next = namesIn(document, list)[index + 1] ?? 'exit'
  const own = jsonAt(document, below(task, 'then'))
  const heir = typeof own === 'string' && own !== 'continue' && own !== name ? own : next
  return [...retarget(document, list, name, heir), { kind: 'remove', list, from: index, count: 1 }]
}

/** Every `then` of a list that leads to a task, led to another one. */
function retarget(document: Json, list: string, from: string, to: string): readonly Edit[] {
  const items = jsonAt(document, list)
  if (!Array.isArray(items) || from === to) return []
  return items.flatMap((_, index): Edit[] => {
    const task = taskAt(document, list, index)
    if (task === undefined || task === taskAt(document, list, namesIn(document, list).indexOf(from))) return []
    return thenPointers(document, task)
      .filter((pointer) => jsonAt(document, pointer) === from)
      .map((pointer) => ({ kind: 'set', pointer, value: to }))
  })
}

/** Pointers of the `then` of a task, of its catch, and of its cases. */
function thenPointers(document: Json, task: string): readonly string[] {
  const cases = jsonAt(document, below(task, 'switch'))
  const own = [below(task, 'then'), below(below(task, 'catch'), 'then')]
  if (!Array.isArray(cases)) return own
  return [
    ...own,
    ...cases.flatMap((item, index) => {
      const [key] = isObject(item) ? Object.keys(item) : []
      return key === undefined ? [] : [below(below(below(below(task, 'switch'), index), key), 'then')]
    }),
  ]
}

/** Adds a way to a switch with lanes of their own: a case before the one that takes the rest, and its lane. */
export function addWayEdits(document: Json, task: string, wanted: string): readonly Edit[] {
  const list = below(task, 'do')
  const choose = taskAt(document, list, 0)
  const cases = choose === undefined ? undefined : jsonAt(document, below(choose, 'switch'))
  if (choose === undefined || !Array.isArray(cases)) return []
  const name = freeName(wanted, namesIn(document, list))
  const rest = cases.findIndex((item) => isObject(item) && Object.values(item).some((way) => isObject(way) && way['when'] === undefined))
  const at = rest === -1 ? cases.length : rest
  const ways = [...cases.slice(0, at), { [name]: { when: '${ false }', then: name } }, ...cases.slice(at)]
  return [
    { kind: 'set', pointer: below(choose, 'switch'), value: ways },
    insertion(list, Math.min(at + 1, namesIn(document, list).length), { [name]: { do: [], then: 'exit' } }),
  ]
}

/** Adds a branch to a fork. */
export function addBranchEdits(document: Json, task: string, wanted: string): readonly Edit[] {
  const list = `${task}/fork/branches`
  const names = namesIn(document, list)
  return [insertion(list, names.length, { [freeName(wanted, names)]: { do: [] } })]
}

/** Removes a way with its lane, and the cases that lead to it. */
export function removeLaneEdits(document: Json, lane: string): readonly Edit[] {
  const { list, index, name } = placeOf(lane)
  const choose = taskAt(document, list, 0)
  const cases = choose === undefined ? undefined : jsonAt(document, below(choose, 'switch'))
  if (choose === undefined || !Array.isArray(cases)) return removeEdits(document, lane)
  const kept = cases.filter((item) => !(isObject(item) && Object.values(item).some((way) => isObject(way) && way['then'] === name)))
  return [
    { kind: 'set', pointer: below(choose, 'switch'), value: kept },
    { kind: 'remove', list, from: index, count: 1 },
  ]
}

import type { Json, JsonObject } from '#src/json.ts'
import { childPointer, pointerKeys } from '#src/parse/pointer.ts'
import { kindsOf } from '#src/shape/choose.ts'
import { isObject } from '#src/shape/variables.ts'
import type { Edit, EditFault, TaskRange } from '#src/edit/edit.ts'
import { jsonAt } from './operate-on-json.ts'
import { type Operation, type Piece, json } from './operation.ts'
import { outerReads, renameReferences } from './references.ts'
import { nameOf, namesIn, uniqueName, withUniqueNames } from './unique-names.ts'

export interface Plan {
  readonly operations: readonly Operation[]
  readonly selection: string
  readonly title: string
}

export type Planned = Plan | { readonly fault: EditFault }

/** The operations of an edit on a document. */
export function planOf(document: Json, edit: Edit): Planned {
  switch (edit.kind) {
    case 'insert':
      return planInsert(document, edit)
    case 'remove':
      return withRange(document, edit, (names) =>
        items(edit, [], { selection: besideRemoved(document, edit), title: `Removed ${names.join(', ')}` }),
      )
    case 'move':
      return withRange(document, edit, (names) => planMove(document, edit, names))
    case 'rename':
      return planRename(document, edit.task, edit.name)
    case 'set':
      return planSet(document, edit.pointer, edit.value)
    case 'unset':
      return jsonAt(document, edit.pointer) === undefined ? missing(edit.pointer) : planUnset(edit.pointer)
    case 'renameMember':
      return planRenameMember(document, edit)
    case 'moveMember':
      return planMoveMember(document, edit)
    case 'wrap':
      return withRange(document, edit, (names) => planWrap(document, edit, names))
    case 'unwrap':
      return planUnwrap(document, edit.task)
    case 'duplicate':
      return withRange(document, edit, (names) => planDuplicate(document, edit, names))
    case 'disable':
    case 'enable':
      return planDisabled(document, edit.task, edit.kind === 'disable')
    case 'extract':
      return withRange(document, edit, (names) => planExtract(document, edit, names))
    case 'replace':
      return { operations: [{ kind: 'set', pointer: '', value: json(edit.document) }], selection: '', title: 'Replaced the definition' }
  }
}

function fault(code: EditFault['code'], message: string): { readonly fault: EditFault } {
  return { fault: { code, message } }
}

function missing(pointer: string) {
  return fault('not_found', `The document has nothing at ${pointer === '' ? 'its root' : pointer}.`)
}

function withRange(document: Json, range: TaskRange, plan: (names: readonly string[]) => Planned): Planned {
  const list = jsonAt(document, range.list)
  if (!Array.isArray(list) || range.from < 0 || range.count < 1 || range.from + range.count > list.length) return missing(range.list)
  return plan(list.slice(range.from, range.from + range.count).map(nameOf))
}

function items(range: TaskRange, pieces: readonly Piece[], rest: Omit<Plan, 'operations'>): Plan {
  const { list, from, count } = range
  return { operations: [{ kind: 'items', list, from, count, items: pieces }], ...rest }
}

function taken({ list, from, count }: TaskRange): Piece[] {
  return Array.from({ length: count }, (_, index): Piece => ({ kind: 'taken', list, index: from + index }))
}

function at(list: string, index: number, name: string): string {
  return childPointer(childPointer(list, index), name)
}

/** The task that takes the place of removed ones, or the one before them; the list where none is left. */
function besideRemoved(document: Json, { list, from, count }: TaskRange): string {
  const tasks = jsonAt(document, list)
  if (!Array.isArray(tasks)) return list
  const [next, before] = [tasks[from + count], tasks[from - 1]]
  if (next !== undefined) return at(list, from, nameOf(next))
  return before === undefined ? list : at(list, from - 1, nameOf(before))
}

function planInsert(document: Json, { list, at: index, tasks }: Extract<Edit, { kind: 'insert' }>): Planned {
  const old = jsonAt(document, list)
  const written = withUniqueNames(tasks, Array.isArray(old) ? namesIn(old) : new Set())
  const names = written.map(nameOf)
  const title = `Added ${names.join(', ')}`
  if (old === undefined || old === null) {
    const set: Operation = { kind: 'set', pointer: list, value: json(written) }
    return canSet(document, list) ? { operations: [set], selection: at(list, 0, names[0] ?? ''), title } : missing(list)
  }
  if (!Array.isArray(old) || index < 0 || index > old.length) return missing(list)
  return items({ list, from: index, count: 0 }, written.map(json), { selection: at(list, index, names[0] ?? ''), title })
}

function planMove(document: Json, edit: Extract<Edit, { kind: 'move' }>, names: readonly string[]): Planned {
  const { list, from, count, to, at: index } = edit
  const target = jsonAt(document, to)
  if (!Array.isArray(target) || index < 0 || index > target.length) return missing(to)
  const moved = Array.from({ length: count }, (_, offset) => `${list}/${from + offset}/`)
  if (moved.some((pointer) => `${to}/`.startsWith(pointer))) return fault('not_possible', 'A task cannot be moved into itself.')
  const title = `Moved ${names.join(', ')} into ${to}`
  if (to === list) return planReorder(edit, target.length, names)
  const clash = names.find((name) => namesIn(target).has(name))
  if (clash !== undefined) return fault('name_taken', `The list ${to} has a task ${clash} already: rename one of the two.`)
  const operations: Operation[] = [
    { kind: 'items', list, from, count, items: [] },
    { kind: 'items', list: to, from: index, count: 0, items: taken(edit) },
  ]
  return { operations, selection: at(afterRemoval(edit, to), index, names[0] ?? ''), title }
}

/** The pointer of a list after tasks in front of it, or of a list around it, were removed. */
function afterRemoval({ list, from, count }: TaskRange, pointer: string): string {
  if (!pointer.startsWith(`${list}/`)) return pointer
  const [index = '', ...rest] = pointerKeys(pointer.slice(list.length))
  if (Number(index) < from) return pointer
  return rest.reduce<string>(childPointer, childPointer(list, Number(index) - count))
}

/** Within one list the tasks between the old and the new place move the other way. */
function planReorder({ list, from, count, at: index }: Extract<Edit, { kind: 'move' }>, length: number, names: readonly string[]): Planned {
  const title = `Moved ${names.join(', ')}`
  if (index >= from && index <= from + count) return { operations: [], selection: at(list, from, names[0] ?? ''), title }
  const [first, last] = index < from ? [index, from + count] : [from, index]
  const order = Array.from({ length }, (_, position) => position).slice(first, last)
  const inside = order.filter((position) => position >= from && position < from + count)
  const others = order.filter((position) => !inside.includes(position))
  const sorted = index < from ? [...inside, ...others] : [...others, ...inside]
  const pieces = sorted.map((position): Piece => ({ kind: 'taken', list, index: position }))
  const selection = at(list, index < from ? index : index - count, names[0] ?? '')
  return items({ list, from: first, count: last - first }, pieces, { selection, title })
}

function planRename(document: Json, task: string, name: string): Planned {
  const keys = pointerKeys(task)
  const old = keys.at(-1) ?? ''
  const list = keys.slice(0, -2).reduce<string>(childPointer, '')
  const siblings = jsonAt(document, list)
  if (!Array.isArray(siblings) || jsonAt(document, task) === undefined) return missing(task)
  const title = `Renamed ${old} to ${name}`
  const selection = childPointer(keys.slice(0, -1).reduce<string>(childPointer, ''), name)
  if (name === old) return { operations: [], selection, title }
  if (name === '') return fault('not_possible', 'A task needs a name.')
  if (namesIn(siblings).has(name)) return fault('name_taken', `The list has a task ${name} already.`)
  return { operations: [{ kind: 'key', pointer: task, name }, ...renameReferences(document, list, old, name)], selection, title }
}

/** Whether a value may be written at a pointer: an object around it exists or can be made. */
function canSet(document: Json, pointer: string): boolean {
  const keys = pointerKeys(pointer)
  for (let length = keys.length - 1; length >= 0; length--) {
    const around = jsonAt(document, keys.slice(0, length).reduce<string>(childPointer, ''))
    if (around !== undefined) return isObject(around) || (around === null && length > 0)
  }
  return false
}

function planSet(document: Json, pointer: string, value: Json): Planned {
  const title = `Set ${pointerKeys(pointer).at(-1) ?? 'the definition'}`
  if (jsonAt(document, pointer) !== undefined)
    return { operations: [{ kind: 'set', pointer, value: json(value) }], selection: pointer, title }
  if (!canSet(document, pointer)) return missing(pointer)
  const keys = pointerKeys(pointer)
  let length = keys.length
  while (length > 1 && !isObject(jsonAt(document, keys.slice(0, length - 1).reduce<string>(childPointer, '')))) length--
  const nested = keys.slice(length).reduceRight<Json>((inner, key) => ({ [key]: inner }), value)
  const first = keys.slice(0, length).reduce<string>(childPointer, '')
  return { operations: [{ kind: 'set', pointer: first, value: json(nested) }], selection: pointer, title }
}

function planUnset(pointer: string): Planned {
  const keys = pointerKeys(pointer)
  const selection = keys.slice(0, -1).reduce<string>(childPointer, '')
  return { operations: [{ kind: 'unset', pointer }], selection, title: `Removed ${keys.at(-1) ?? ''}` }
}

function planRenameMember(document: Json, { pointer, name, uses = [] }: Extract<Edit, { kind: 'renameMember' }>): Planned {
  const keys = pointerKeys(pointer)
  const old = keys.at(-1) ?? ''
  const around = keys.slice(0, -1).reduce<string>(childPointer, '')
  const owner = jsonAt(document, around)
  if (!isObject(owner) || !Object.hasOwn(owner, old)) return missing(pointer)
  const [selection, title] = [childPointer(around, name), `Renamed ${old} to ${name}`]
  if (name === old) return { operations: [], selection, title }
  if (name === '') return fault('not_possible', 'A member needs a name.')
  if (Object.hasOwn(owner, name)) return fault('name_taken', `The object has a member ${name} already.`)
  const within = uses.map((use): Operation => ({ kind: 'within', ...use }))
  return { operations: [{ kind: 'key', pointer, name }, ...within], selection, title }
}

function planMoveMember(document: Json, { pointer, by }: Extract<Edit, { kind: 'moveMember' }>): Planned {
  const keys = pointerKeys(pointer)
  const name = keys.at(-1) ?? ''
  const around = keys.slice(0, -1).reduce<string>(childPointer, '')
  const owner = jsonAt(document, around)
  if (!isObject(owner) || !Object.hasOwn(owner, name)) return missing(pointer)
  const names = Object.keys(owner)
  const index = names.indexOf(name)
  const [first, second] = by === 1 ? [name, names[index + 1]] : [names[index - 1], name]
  const title = `Moved ${name}`
  if (first === undefined || second === undefined) return { operations: [], selection: pointer, title }
  return { operations: [{ kind: 'swap', pointer: around, first, second }], selection: pointer, title }
}

/** What a new try does with an error: it tries again a few times, and faults when that does not help. */
const firstRetry: Json = { delay: { seconds: 2 }, backoff: { exponential: {} }, limit: { attempt: { count: 3 } } }

function planWrap(document: Json, edit: Extract<Edit, { kind: 'wrap' }>, names: readonly string[]): Planned {
  const list = jsonAt(document, edit.list)
  const others = Array.isArray(list)
    ? namesIn(list.filter((_, index) => index < edit.from || index >= edit.from + edit.count))
    : new Set<string>()
  if (others.has(edit.name)) return fault('name_taken', `The list has a task ${edit.name} already.`)
  const inner: Piece = { kind: 'list', items: taken(edit) }
  const shapes: Readonly<Record<typeof edit.in, readonly (readonly [string, Piece])[]>> = {
    do: [['do', inner]],
    for: [
      ['for', json({ in: '.' })],
      ['do', inner],
    ],
    fork: [['fork', { kind: 'map', members: [['branches', inner]] }]],
    try: [
      ['try', inner],
      ['catch', json({ retry: firstRetry })],
    ],
  }
  const wrapper: Piece = { kind: 'map', members: [[edit.name, { kind: 'map', members: shapes[edit.in] }]] }
  return items(edit, [wrapper], { selection: at(edit.list, edit.from, edit.name), title: `Put ${names.join(', ')} into ${edit.name}` })
}

const lists: Readonly<Record<string, string>> = { do: 'do', for: 'do', fork: 'fork/branches', try: 'try', listen: 'foreach/do' }

function planUnwrap(document: Json, pointer: string): Planned {
  const task = jsonAt(document, pointer)
  const keys = pointerKeys(pointer)
  const slot = isObject(task) ? lists[kindsOf(task)[0] ?? ''] : undefined
  const inner = `${pointer}/${slot ?? ''}`
  const content = slot === undefined ? undefined : jsonAt(document, inner)
  if (!Array.isArray(content) || content.length === 0) return fault('not_possible', 'The task contains no tasks.')
  const list = keys.slice(0, -2).reduce<string>(childPointer, '')
  const from = Number(keys.at(-2))
  const siblings = jsonAt(document, list)
  if (!Array.isArray(siblings)) return fault('not_possible', 'A function has no list around it.')
  const others = namesIn(siblings.filter((_, index) => index !== from))
  const clash = content.map(nameOf).find((name) => others.has(name))
  if (clash !== undefined) return fault('name_taken', `The list has a task ${clash} already: rename one of the two.`)
  const pieces = taken({ list: inner, from: 0, count: content.length })
  return items({ list, from, count: 1 }, pieces, {
    selection: at(list, from, nameOf(content[0])),
    title: `Took the tasks out of ${keys.at(-1) ?? ''}`,
  })
}

function planDuplicate(document: Json, { list, from, count }: TaskRange, names: readonly string[]): Planned {
  const old = jsonAt(document, list)
  const used = new Set(Array.isArray(old) ? namesIn(old) : [])
  const pieces = names.map((name, index): Piece => {
    const copy = uniqueName(name, used)
    used.add(copy)
    return { kind: 'taken', list, index: from + index, name: copy }
  })
  const first = pieces[0]
  const selection = at(list, from + count, first?.kind === 'taken' ? (first.name ?? '') : '')
  return items({ list, from: from + count, count: 0 }, pieces, { selection, title: `Duplicated ${names.join(', ')}` })
}

function planDisabled(document: Json, pointer: string, disable: boolean): Planned {
  const task = jsonAt(document, pointer)
  if (!isObject(task)) return missing(pointer)
  const metadata = isObject(task['metadata']) ? task['metadata'] : {}
  const disabled = metadata['disabled']
  const name = pointerKeys(pointer).at(-1) ?? ''
  const title = `${disable ? 'Disabled' : 'Enabled'} ${name}`
  if (disable === (disabled !== undefined)) return { operations: [], selection: pointer, title }
  const { if: condition, metadata: _old, ...rest } = task
  const { disabled: _mark, ...kept } = metadata
  const own = isObject(disabled) ? disabled['if'] : undefined
  const changed: JsonObject = disable
    ? { if: '${ false }', ...rest, metadata: { ...kept, disabled: condition === undefined ? true : { if: condition } } }
    : { ...(own === undefined ? {} : { if: own }), ...rest, ...(Object.keys(kept).length === 0 ? {} : { metadata: kept }) }
  return { operations: [{ kind: 'set', pointer, value: json(changed) }], selection: pointer, title }
}

function planExtract(document: Json, edit: Extract<Edit, { kind: 'extract' }>, names: readonly string[]): Planned {
  const { list, from, name } = edit
  const reads = outerReads(document, list, from, edit.count)
  if (reads.length > 0)
    return fault('outer_reference', `The tasks read ${reads.join(', ')}, which a function does not know: give it to them as input first.`)
  const functions = jsonAt(document, '/use/functions')
  if (isObject(functions) && Object.hasOwn(functions, name)) return fault('name_taken', `The definition has a function ${name} already.`)
  const first = names[0] ?? name
  const body: Piece = { kind: 'map', members: [['do', { kind: 'list', items: taken(edit) }]] }
  const calls: Operation = { kind: 'items', list, from, count: edit.count, items: [json({ [first]: { call: name } })] }
  const wrapped = (piece: Piece, keys: readonly string[]): Piece =>
    keys.reduceRight<Piece>((inner, key) => ({ kind: 'map', members: [[key, inner]] }), piece)
  const place = isObject(functions)
    ? (['/use/functions', []] as const)
    : isObject(jsonAt(document, '/use'))
      ? (['/use', ['functions']] as const)
      : (['', ['use', 'functions']] as const)
  const [owner, path] = place
  const [key = name, ...below] = [...path, name]
  const made: Operation = { kind: 'set', pointer: childPointer(owner, key), value: wrapped(body, below) }
  return { operations: [made, calls], selection: at(list, from, first), title: `Made the function ${name} of ${names.join(', ')}` }
}

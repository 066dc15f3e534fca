import type { Path } from '#src/parse/pointer.ts'
import { chooseByKey, chooseByType } from '#src/shape/choose.ts'
import type { ObjectShape, Property, Shape, ShapeOf } from '#src/shape/shape.ts'
import { isObject } from '#src/shape/variables.ts'
import type { Json, JsonObject } from '#src/json.ts'
import type { Facts, Place, Scope } from './facts.ts'
import { namedEntries } from './named-entries.ts'
import { findingsOfObject } from './object-findings.ts'
import { readString } from './read-string.ts'
import { shapeOfTask } from './task-shape-of.ts'
import { quoted, wrongType } from './wording.ts'

/**
 * Compares a value with its shape, and gathers what the checks of the whole document need: expressions, lists of tasks, references.
 *
 * What is not of the right type is reported and not descended into, so that one mistake gives one diagnostic.
 */
export function walk(facts: Facts, shape: Shape, value: Json, path: Path | undefined, place: Place): void {
  switch (shape.kind) {
    case 'any':
      return walkData(facts, value, path, place)
    case 'opaque':
      return walkOpaque(facts, shape, value, path)
    case 'boolean':
      return walkBoolean(facts, value, path)
    case 'integer':
      return walkInteger(facts, shape, value, path)
    case 'string':
      return readString(facts, shape, value, path, place)
    case 'object':
      return walkObject(facts, shape, value, path, place)
    case 'map':
      return walkMap(facts, shape, value, path, place)
    case 'list':
      return walkList(facts, shape, value, path, place)
    case 'named':
      return walkNamed(facts, shape, value, path, place)
    case 'union':
      return walkUnion(facts, shape, value, path, place)
    case 'keyed':
      return walk(facts, chooseByKey(shape, value), value, path, place)
    case 'tasks':
      return walkTasks(facts, shape, value, path, place)
    case 'task':
      return walkTask(facts, value, path, place)
  }
}

function walkData(facts: Facts, value: Json, path: Path | undefined, place: Place): void {
  if (typeof value === 'string') readString(facts, { kind: 'string', reading: 'text' }, value, path, place)
  else if (Array.isArray(value)) for (const [key, item] of value.entries()) walkData(facts, item, { parent: path, key }, place)
  else if (isObject(value)) for (const key of Object.keys(value)) walkData(facts, value[key] ?? null, { parent: path, key }, place)
}

function walkBoolean(facts: Facts, value: Json, path: Path | undefined): void {
  if (typeof value !== 'boolean') facts.findings.push(wrongType(path, value, 'true or false', 'Write true or false, without quotes.'))
}

function walkOpaque(facts: Facts, shape: ShapeOf<'opaque'>, value: Json, path: Path | undefined): void {
  if (shape.type === 'object' && !isObject(value)) facts.findings.push(wrongType(path, value, 'an object', 'Write key: value pairs.'))
}

function walkInteger(facts: Facts, shape: ShapeOf<'integer'>, value: Json, path: Path | undefined): void {
  if (typeof value !== 'number' || !Number.isInteger(value)) {
    const hint =
      typeof value === 'string' && /^-?\d+$/.test(value) ? `Write ${value} without quotes.` : 'Write a whole number, without quotes.'
    facts.findings.push(wrongType(path, value, 'a whole number', hint))
    return
  }
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = shape
  if (value >= min && value <= max) return
  const bounds = Number.isFinite(max) ? `from ${min} to ${max}` : `of ${min} or more`
  facts.findings.push({ code: 'invalid_value', path, at: 'value', message: `${value} is out of range.`, hint: `Write a number ${bounds}.` })
}

function walkObject(facts: Facts, shape: ObjectShape, value: Json, path: Path | undefined, place: Place): void {
  if (!isObject(value)) {
    const keys = shape.required.length > 0 ? shape.required : [...shape.properties.keys()]
    const hint = keys.length > 0 ? `Write an object with ${keys.slice(0, 6).join(', ')}.` : 'Write key: value pairs.'
    facts.findings.push(wrongType(path, value, `${shape.what}, an object`, hint))
    return
  }
  findingsOfObject(facts.findings, shape, value, path)
  for (const key of Object.keys(value)) {
    const property = shape.properties.get(key)
    const child = value[key]
    if (child === undefined) continue
    if (property !== undefined) walk(facts, property.shape, child, { parent: path, key }, placeOf(property, value, place))
    else if (shape.rest !== undefined) walk(facts, shape.rest, child, { parent: path, key }, place)
  }
}

const noSteps: ReadonlySet<string> = new Set()

function placeOf(property: Property, owner: JsonObject, place: Place): Place {
  if (property.stage === undefined && property.variables === undefined) return place
  const variables = property.variables?.(owner)
  const scope: Scope = variables === undefined ? place.scope : { parent: place.scope, variables, steps: noSteps }
  return { stage: property.stage ?? place.stage, scope }
}

function walkMap(facts: Facts, shape: ShapeOf<'map'>, value: Json, path: Path | undefined, place: Place): void {
  if (!isObject(value)) {
    const wanted = shape.what === 'an object' ? shape.what : `${shape.what}, an object`
    facts.findings.push(wrongType(path, value, wanted, 'Write name: value pairs.'))
    return
  }
  for (const key of Object.keys(value)) walk(facts, shape.values, value[key] ?? null, { parent: path, key }, place)
}

function walkList(facts: Facts, shape: ShapeOf<'list'>, value: Json, path: Path | undefined, place: Place): void {
  if (!Array.isArray(value)) {
    facts.findings.push(wrongType(path, value, `a list of ${shape.what}`, 'Begin each entry with "- ", or write [ … ].'))
    return
  }
  const seen = new Set<Json>()
  for (const [key, item] of value.entries()) {
    const child = { parent: path, key }
    if (shape.unique === true && seen.has(item)) {
      const message = `${quoted(String(item))} is already in the list.`
      facts.findings.push({ code: 'duplicate_name', path: child, at: 'value', message, hint: 'Remove it.' })
    }
    seen.add(item)
    walk(facts, shape.items, item, child, place)
  }
}

function walkUnion(facts: Facts, shape: ShapeOf<'union'>, value: Json, path: Path | undefined, place: Place): void {
  const chosen = chooseByType(shape, value)
  if (chosen !== undefined) walk(facts, chosen, value, path, place)
  else facts.findings.push(wrongType(path, value, shape.what, `Write ${shape.example ?? shape.what}.`))
}

function walkNamed(facts: Facts, shape: ShapeOf<'named'>, value: Json, path: Path | undefined, place: Place): void {
  const entries = namedEntries(facts, shape.what, value, path)
  if (entries === undefined) return
  if (entries.length < (shape.entriesMin ?? 0) && Array.isArray(value) && value.length < (shape.entriesMin ?? 0)) {
    const message = `${quoted(String(path?.key))} has no entry.`
    facts.findings.push({ code: 'too_few_entries', path, at: 'value', message, hint: `Add ${shape.what}.` })
  }
  for (const entry of entries) walk(facts, shape.items, entry.task, entry.path, place)
}

function walkTasks(facts: Facts, shape: ShapeOf<'tasks'>, value: Json, path: Path | undefined, place: Place): void {
  const entries = namedEntries(facts, 'a task', value, path)
  if (entries === undefined) return
  facts.lists.push({ branches: shape.branches, entries })
  const scope: Scope = { parent: place.scope, variables: [], steps: new Set(entries.map((entry) => entry.name)) }
  const inner = { stage: 'task', scope } as const
  for (const entry of entries) walkTask(facts, entry.task, entry.path, inner)
}

function walkTask(facts: Facts, value: Json, path: Path | undefined, place: Place): void {
  const shape = shapeOfTask(facts, value, path)
  if (shape !== undefined) walk(facts, shape, value, path, place)
}

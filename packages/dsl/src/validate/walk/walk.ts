import { chooseByKey, chooseByType } from '#src/shape/choose.ts'
import { durationHint } from '#src/shape/text-format.ts'
import type { ObjectShape, Property, Shape, ShapeOf } from '#src/shape/shape.ts'
import { isObject } from '#src/shape/variables.ts'
import type { Json, JsonObject } from '#src/json.ts'
import { type Place, type Scope, type Site, child } from '#src/validate/facts.ts'
import { quoted, wrongType } from '#src/validate/wording.ts'
import { isRuntimeExpression } from '#src/expression/runtime-expression.ts'
import { checkObject } from './check-object.ts'
import { checkSchema } from './check-schema.ts'
import { checkString } from './check-string.ts'
import { keyLikeness } from './expression-likeness.ts'
import { namedEntries } from './named-entries.ts'
import { shapeOfTask } from './task-shape.ts'

/**
 * Compares a value with its shape, and gathers what the checks of the whole document need: expressions, lists of tasks, references.
 *
 * A value of a wrong type is reported and not descended into, so that one mistake gives one diagnostic.
 */
export function walk(site: Site, shape: Shape): void {
  switch (shape.kind) {
    case 'any':
      return walkData(site)
    case 'opaque':
      return walkOpaque(site, shape)
    case 'boolean':
      return walkBoolean(site)
    case 'integer':
      return walkInteger(site, shape)
    case 'string':
      return checkString(site, shape)
    case 'object':
      return walkObject(site, shape)
    case 'map':
      return walkMap(site, shape)
    case 'list':
      return walkList(site, shape)
    case 'named':
      return walkNamed(site, shape)
    case 'union':
      return walkUnion(site, shape)
    case 'keyed':
      return walk(site, chooseByKey(shape, site.value))
    case 'tasks':
      return walkTasks(site, shape)
    case 'task':
      return walkTask(site)
  }
}

function walkData(site: Site): void {
  const { value } = site
  if (typeof value === 'string') checkString(site, { kind: 'string', reading: 'text' })
  else if (Array.isArray(value)) for (const [index, item] of value.entries()) walkData(child(site, index, item))
  else if (isObject(value)) {
    for (const key of Object.keys(value)) {
      checkKey(site, key)
      walkData(child(site, key, value[key] ?? null))
    }
  }
}

/** Keys of the author's own data are not evaluated. */
function checkKey({ facts, path }: Site, key: string): void {
  if (isRuntimeExpression(key)) facts.findings.push(keyLikeness({ parent: path, key }))
}

function walkBoolean({ facts, value, path }: Site): void {
  if (typeof value !== 'boolean') facts.findings.push(wrongType(path, value, 'true or false', 'Write true or false, without quotes.'))
}

function walkOpaque({ facts, value, path }: Site, shape: ShapeOf<'opaque'>): void {
  if (shape.type === 'object' && !isObject(value)) facts.findings.push(wrongType(path, value, 'an object', 'Write key: value pairs.'))
  if (shape.schema === true) checkSchema(facts.findings, value, path)
}

function walkInteger({ facts, value, path }: Site, shape: ShapeOf<'integer'>): void {
  if (typeof value !== 'number' || !Number.isInteger(value)) {
    facts.findings.push(wrongType(path, value, 'a whole number', integerHint(value, path)))
    return
  }
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = shape
  if (value >= min && value <= max) return
  const bounds = Number.isFinite(max) ? `from ${min} to ${max}` : `of ${min} or more`
  facts.findings.push({ code: 'invalid_value', path, at: 'value', message: `${value} is out of range.`, hint: `Write a number ${bounds}.` })
}

function integerHint(value: Json, path: Site['path']): string {
  if (typeof value === 'string' && /^-?\d+$/.test(value)) return `Write ${value} without quotes.`
  if (path?.key === 'status' && Array.isArray(value))
    return `Write beside errors: when: \${ $error.status | IN(${value.filter((item) => typeof item === 'number').join(', ') || '500, 503'}) }.`
  if (path?.key === 'status' && typeof value === 'string' && isRuntimeExpression(value))
    return "Raise a caught error again with raise: { error: '${ $error }' }, or write a whole number."
  return 'Write a whole number, without quotes.'
}

function walkObject(site: Site, shape: ObjectShape): void {
  const { facts, value, path, place } = site
  if (!isObject(value)) {
    const keys = shape.required.length > 0 ? shape.required : [...shape.properties.keys()]
    const hint = keys.length > 0 ? `Write an object with ${keys.slice(0, 6).join(', ')}.` : 'Write key: value pairs.'
    facts.findings.push(wrongType(path, value, `${shape.what}, an object`, hint))
    return
  }
  checkObject(facts.findings, shape, value, path)
  for (const key of Object.keys(value)) {
    const property = shape.properties.get(key)
    const item = value[key]
    if (item === undefined) continue
    if (property !== undefined) walk(child(site, key, item, placeOf(property, value, place)), property.shape)
    else if (shape.rest !== undefined) {
      if (shape.rest.kind === 'any') checkKey(site, key)
      walk(child(site, key, item), shape.rest)
    }
  }
}

const noSteps: ReadonlySet<string> = new Set()

function placeOf(property: Property, owner: JsonObject, place: Place): Place {
  if (property.stage === undefined && property.variables === undefined) return place
  const variables = property.variables?.(owner)
  const scope: Scope = variables === undefined ? place.scope : { parent: place.scope, variables, steps: noSteps }
  return { stage: property.stage ?? place.stage, scope }
}

function walkMap(site: Site, shape: ShapeOf<'map'>): void {
  const { facts, value, path } = site
  if (!isObject(value)) {
    const wanted = shape.what === 'an object' ? shape.what : `${shape.what}, an object`
    facts.findings.push(wrongType(path, value, wanted, 'Write name: value pairs.'))
    return
  }
  for (const key of Object.keys(value)) walk(child(site, key, value[key] ?? null), shape.values)
}

function walkList(site: Site, shape: ShapeOf<'list'>): void {
  const { facts, value, path } = site
  if (!Array.isArray(value)) {
    facts.findings.push(wrongType(path, value, `a list of ${shape.what}`, 'Begin each entry with "- ", or write [ … ].'))
    return
  }
  const seen = new Set<Json>()
  for (const [index, item] of value.entries()) {
    const entry = child(site, index, item)
    if (shape.unique === true && seen.has(item)) {
      const message = `${quoted(String(item))} is already in the list.`
      facts.findings.push({ code: 'duplicate_name', path: entry.path, at: 'value', message, hint: 'Remove it.' })
    }
    seen.add(item)
    walk(entry, shape.items)
  }
}

function walkUnion(site: Site, shape: ShapeOf<'union'>): void {
  const chosen = chooseByType(shape, site.value)
  if (chosen !== undefined) walk(site, chosen)
  else {
    const isDuration = shape.string?.kind === 'string' && (shape.string.format === 'duration' || shape.string.format === 'interval')
    const hint = isDuration ? durationHint(site.value) : `Write ${shape.example ?? shape.what}.`
    site.facts.findings.push(wrongType(site.path, site.value, shape.what, hint))
  }
}

function walkNamed(site: Site, shape: ShapeOf<'named'>): void {
  const { facts, value, path } = site
  const entries = namedEntries(site, shape.what)
  if (entries === undefined) return
  if (entries.length < (shape.entriesMin ?? 0) && Array.isArray(value) && value.length < (shape.entriesMin ?? 0)) {
    const message = `${quoted(String(path?.key))} has no entry.`
    facts.findings.push({ code: 'too_few_entries', path, at: 'value', message, hint: `Add ${shape.what}.` })
  }
  for (const entry of entries) walk({ ...site, value: entry.task, path: entry.path }, shape.items)
}

function walkTasks(site: Site, shape: ShapeOf<'tasks'>): void {
  const { facts, place } = site
  const entries = namedEntries(site, 'a task')
  if (entries === undefined) return
  facts.lists.push({ branches: shape.branches, entries })
  const scope: Scope = { parent: place.scope, variables: [], steps: new Set(entries.map((entry) => entry.name)) }
  const inner: Place = { stage: 'task', scope }
  for (const entry of entries) walkTask({ facts, value: entry.task, path: entry.path, place: inner })
}

function walkTask(site: Site): void {
  const shape = shapeOfTask(site)
  if (shape !== undefined) walk(site, shape)
}

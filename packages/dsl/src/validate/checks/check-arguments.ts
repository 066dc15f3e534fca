import { isRuntimeExpression } from '#src/expression/runtime-expression.ts'
import { meantDuration } from '#src/duration.ts'
import type { Json, JsonObject } from '#src/json.ts'
import { type Path, pointerKeys, pointerOf } from '#src/parse/pointer.ts'
import { synonymsOf } from '#src/shape/synonyms.ts'
import { isObject, objectAt } from '#src/shape/variables.ts'
import { calledFunction, knownNames } from '#src/tasks/called-function.ts'
import { catalogFunction } from '#src/tasks/catalog-function.ts'
import type { Facts, Finding } from '#src/validate/facts.ts'
import type { ValidateOptions } from '#src/validate/options.ts'
import { meant, quoted } from '#src/validate/wording.ts'
import { schemaArgumentFindings } from './schema-argument.ts'

type CheckValue = ValidateOptions['checkValue']

/** Checks the arguments of calls of the document's functions and of the default catalog's, as far as they are known before a run. */
export function checkArguments(facts: Facts, document: Json, { functions = [], checkValue }: ValidateOptions): void {
  const use = (isObject(document) ? objectAt(document, 'use') : undefined) ?? {}
  const names = knownNames(use)
  for (const { task, path } of facts.tasks) {
    if (typeof task['call'] !== 'string') continue
    const called = calledFunction(task['call'], names)
    if (called.kind !== 'inline' && called.kind !== 'default') continue
    const schema =
      called.kind === 'inline'
        ? inputSchema(objectAt(objectAt(use, 'functions') ?? {}, called.name))
        : catalogFunction(functions, called.name, called.version)?.input
    if (schema !== undefined) facts.findings.push(...findingsOfCall(called.name, task, path, schema, checkValue))
  }
}

function inputSchema(task: JsonObject | undefined): Json | undefined {
  const schema = objectAt(objectAt(task ?? {}, 'input') ?? {}, 'schema')
  const { format = 'json', document } = schema ?? {}
  return typeof format === 'string' && /^json(?::|$)/.test(format) ? document : undefined
}

function findingsOfCall(name: string, task: JsonObject, path: Path | undefined, schema: Json, checkValue: CheckValue) {
  const given = task['with']
  if (given === undefined) return argumentFindings(name, schema, {}, { path: { parent: path, key: 'call' }, at: 'value' }, checkValue)
  if (!isObject(given)) return []
  const at: Path = { parent: path, key: 'with' }
  return [...argumentFindings(name, schema, given, { path: at, at: 'key' }, checkValue), ...schemaFindings(schema, given, at)]
}

/** Findings about arguments that are JSON Schemas themselves, which the schema of the function marks with `format: json-schema`. */
function schemaFindings(schema: Json, given: JsonObject, parent: Path): readonly Finding[] {
  const properties = isObject(schema) ? (objectAt(schema, 'properties') ?? {}) : {}
  return Object.entries(given).flatMap(([key, value]) => {
    const property = Object.hasOwn(properties, key) ? objectAt(properties, key) : undefined
    return property?.['format'] === 'json-schema' && isObject(value) ? schemaArgumentFindings(value, { parent, key }) : []
  })
}

/** Where the arguments are, and whether a missing one is reported at the key or at the value. */
interface ArgumentSite {
  readonly path: Path
  readonly at: 'key' | 'value'
}

/**
 * Findings about the arguments of a function that do not fit its schema, whatever the values of their expressions.
 *
 * Missing and unknown names are found here; values without expressions are left to `checkValue`. Where an expression may decide which branch of a
 * schema applies, nothing is reported: the check at run time sees its value.
 */
function argumentFindings(called: string, schema: Json, given: JsonObject, site: ArgumentSite, checkValue: CheckValue): Finding[] {
  if (!isObject(schema)) return []
  const names = nameFindings(called, schema, given, site)
  const values = valueFindings(called, schema, given, site, checkValue)
  // A validator reports missing and unknown names as well, at the name or at the object that has it.
  const pointers = names.map(({ path }) => pointerOf(path))
  const reported = new Set([...pointers, ...above(pointers)])
  return [...names, ...values.filter(({ path }) => !reported.has(pointerOf(path)))]
}

/** The pointers to all objects and lists around the values of these pointers. */
function above(pointers: Iterable<string>): ReadonlySet<string> {
  const around = new Set<string>()
  for (const pointer of pointers) {
    for (let end = pointer.lastIndexOf('/'); end !== -1; end = end === 0 ? -1 : pointer.lastIndexOf('/', end - 1))
      around.add(pointer.slice(0, end))
  }
  return around
}

/** Missing and unknown names, also of the objects inside. */
function nameFindings(called: string, schema: JsonObject, given: JsonObject, site: ArgumentSite): Finding[] {
  const inside = innerObjects(schema, given, site).flatMap((inner) => nameFindings(called, inner.schema, inner.given, inner.site))
  return [...missing(called, schema, given, site), ...unknown(called, schema, given, site.path), ...inside]
}

function valueFindings(called: string, schema: JsonObject, given: JsonObject, site: ArgumentSite, checkValue: CheckValue): Finding[] {
  if (!holdsExpression(given)) return faults(called, schema, given, site, checkValue)
  const literal = Object.fromEntries(Object.entries(given).filter(([, value]) => !holdsExpression(value)))
  const inside = innerObjects(schema, given, site)
    .filter((inner) => holdsExpression(inner.given))
    .flatMap((inner) => valueFindings(called, inner.schema, inner.given, inner.site, checkValue))
  return [...inside, ...faults(called, ofEachValue(schema), literal, site, checkValue)]
}

interface Inner {
  readonly schema: JsonObject
  readonly given: JsonObject
  readonly site: ArgumentSite
}

/** The objects among the values whose schema is inline, without a reference. */
function innerObjects(schema: JsonObject, given: JsonObject, { path }: ArgumentSite): Inner[] {
  const properties = objectAt(schema, 'properties') ?? {}
  return Object.entries(given).flatMap(([key, value]): Inner[] => {
    const property = Object.hasOwn(properties, key) ? objectAt(properties, key) : undefined
    if (!isObject(value) || property === undefined || '$ref' in property) return []
    return [{ schema: { ...definitionsOf(schema), ...property }, given: value, site: { path: { parent: path, key }, at: 'key' } }]
  })
}

function missing(called: string, { required }: JsonObject, given: JsonObject, { path, at }: ArgumentSite): Finding[] {
  if (!Array.isArray(required)) return []
  return required.flatMap((name: Json): Finding[] => {
    if (typeof name !== 'string' || Object.hasOwn(given, name)) return []
    const message = `The function ${quoted(called)} needs ${quoted(name)}.`
    return [
      { code: 'invalid_argument', path, at, message, hint: at === 'key' ? `Add ${name}: to it.` : `Add with: and, below it, ${name}:.` },
    ]
  })
}

function unknown(called: string, schema: JsonObject, given: JsonObject, path: Path): Finding[] {
  if (!isClosed(schema)) return []
  const known = Object.keys(objectAt(schema, 'properties') ?? {})
  const names = new Set(known)
  // Authors write both lists: of very many names the first are compared, and fewer are shown.
  const free = known.filter((candidate) => !Object.hasOwn(given, candidate)).slice(0, 100)
  const possible = known.length === 0 ? 'Remove it.' : `Remove it; possible are ${known.slice(0, 20).join(', ')}.`
  return Object.keys(given)
    .filter((name) => !names.has(name))
    .map((name, index) => {
      const message = `The function ${quoted(called)} does not take ${quoted(name)}.`
      const synonym = synonymsOf(name).find((candidate) => free.includes(candidate))
      const otherwise = synonym === undefined ? possible : `Did you mean ${quoted(synonym)}?`
      const hint = index < 100 ? meant(name, free, otherwise) : possible
      return { code: 'invalid_argument', path: { parent: path, key: name }, at: 'key', message, hint }
    })
}

/** Whether a schema takes the properties that it lists and no others. */
function isClosed(schema: JsonObject): boolean {
  return schema['additionalProperties'] === false && !('patternProperties' in schema)
}

/** The part of a schema that applies to each property on its own, without keywords by which one property decides about another. */
function ofEachValue(schema: JsonObject): JsonObject {
  const kept = ['properties', 'patternProperties', 'additionalProperties'].filter((key) => key in schema)
  return { ...definitionsOf(schema), ...Object.fromEntries(kept.map((key) => [key, schema[key] ?? null])) }
}

/** The definitions that references inside a schema may name. */
function definitionsOf(schema: JsonObject): JsonObject {
  const kept = ['$schema', '$id', '$defs', 'definitions'].filter((key) => key in schema)
  return Object.fromEntries(kept.map((key) => [key, schema[key] ?? null]))
}

function faults(
  called: string,
  schema: JsonObject,
  value: JsonObject,
  { path, at: whole }: ArgumentSite,
  checkValue: CheckValue,
): Finding[] {
  const byPointer = new Map<string, string[]>()
  for (const { pointer, detail } of checkValue?.(schema, value) ?? []) {
    byPointer.set(pointer, [...(byPointer.get(pointer) ?? []), detail.trim().replace(/[.]$/, '')])
  }
  // A validator may also report each object around a value that does not fit.
  const around = above(byPointer.keys())
  const innermost = [...byPointer].filter(([pointer]) => !around.has(pointer))
  return innermost.map(([pointer, details]) => {
    const at = pointerKeys(pointer).reduce<Path>((parent, key) => ({ parent, key }), path)
    const duration = meantDuration(valueAt(value, pointer))
    if (duration !== undefined && details.some((detail) => detail.includes('"^P')))
      return {
        code: 'invalid_argument',
        path: at,
        at: 'value',
        message: `${quoted(String(at.key))} is not an ISO 8601 duration.`,
        hint: `Did you mean ${duration}?`,
      }
    const subject = pointer === '' ? 'The arguments do' : `${quoted(String(at.key))} does`
    const said = [...new Set(details.map(withoutPattern))].slice(0, detailsMax).join('; ')
    const message = `${subject} not fit what the function ${quoted(called)} takes: ${said}.`
    return { code: 'invalid_argument', path: at, at: pointer === '' ? whole : 'value', message, hint: hintOf(called, schema, pointer) }
  })
}

/** Without a long regular expression: the description of the argument says what to write. */
function withoutPattern(detail: string): string {
  return detail.replace(/^must match the pattern .{40,}$/s, 'it has another form')
}

/** The description of the argument at a pointer, as the function's schema has it. */
function hintOf(called: string, schema: JsonObject, pointer: string): string {
  let property: JsonObject | undefined = schema
  for (const key of pointerKeys(pointer)) {
    const { properties, items }: JsonObject = property
    const next: Json | undefined = isObject(properties ?? null) && Object.hasOwn(Object(properties), key) ? Object(properties)[key] : items
    if (next === undefined || !isObject(next)) break
    property = next
  }
  const description = property === schema ? undefined : property['description']
  return typeof description === 'string' ? description : `See what ${called} takes.`
}

function valueAt(value: Json, pointer: string): Json | undefined {
  let found: Json | undefined = value
  for (const key of pointerKeys(pointer)) {
    if (Array.isArray(found)) found = found[Number(key)]
    else if (found !== undefined && isObject(found) && Object.hasOwn(found, key)) found = found[key]
    else return undefined
  }
  return found
}

/** Reasons shown why one value does not fit. */
const detailsMax = 3

function holdsExpression(value: Json): boolean {
  if (typeof value === 'string') return isRuntimeExpression(value)
  if (Array.isArray(value)) return value.some((item: Json) => holdsExpression(item))
  return isObject(value) && Object.values(value).some(holdsExpression)
}

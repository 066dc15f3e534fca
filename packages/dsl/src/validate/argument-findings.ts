import { isRuntimeExpression } from '#src/expression/runtime-expression.ts'
import { type Path, pointerKeys, pointerOf } from '#src/parse/pointer.ts'
import { isObject, objectAt } from '#src/shape/variables.ts'
import type { Json, JsonObject } from '#src/json.ts'
import type { Finding } from './facts.ts'
import type { ValidateOptions } from './options.ts'
import { meant, quoted } from './wording.ts'

type CheckValue = ValidateOptions['checkValue']

/** Where the arguments stand, and whether the key or the value is shown when one of them is missing. */
interface Site {
  readonly path: Path
  readonly at: 'key' | 'value'
}

/**
 * What of the arguments of a function does not fit its schema, whatever their expressions will give.
 *
 * Names that are missing or unknown are found here; the values without expressions are left to `checkValue`. Where an expression may decide which
 * branch of a schema counts, nothing is said: the check at run time sees what it gives.
 */
export function argumentFindings(called: string, schema: Json, given: JsonObject, site: Site, checkValue: CheckValue): Finding[] {
  if (!isObject(schema)) return []
  const names = nameFindings(called, schema, given, site)
  const values = valueFindings(called, schema, given, site, checkValue)
  // A validator knows of the names as well, and says it of the name or of the object that has it.
  const pointers = names.map(({ path }) => pointerOf(path))
  const told = new Set([...pointers, ...above(pointers)])
  return [...names, ...values.filter(({ path }) => !told.has(pointerOf(path)))]
}

/** The pointers to everything that is around what the pointers lead to. */
function above(pointers: Iterable<string>): ReadonlySet<string> {
  const found = new Set<string>()
  for (const pointer of pointers) {
    for (let end = pointer.lastIndexOf('/'); end !== -1; end = end === 0 ? -1 : pointer.lastIndexOf('/', end - 1))
      found.add(pointer.slice(0, end))
  }
  return found
}

/** Names that are missing or unknown, of the objects inside as well. */
function nameFindings(called: string, schema: JsonObject, given: JsonObject, site: Site): Finding[] {
  const inside = innerObjects(schema, given, site).flatMap((inner) => nameFindings(called, inner.schema, inner.given, inner.site))
  return [...missing(called, schema, given, site), ...unknown(called, schema, given, site.path), ...inside]
}

function valueFindings(called: string, schema: JsonObject, given: JsonObject, site: Site, checkValue: CheckValue): Finding[] {
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
  readonly site: Site
}

/** The objects among the values whose schema is written right there. */
function innerObjects(schema: JsonObject, given: JsonObject, { path }: Site): Inner[] {
  const properties = objectAt(schema, 'properties') ?? {}
  return Object.entries(given).flatMap(([key, value]): Inner[] => {
    const property = Object.hasOwn(properties, key) ? objectAt(properties, key) : undefined
    if (!isObject(value) || property === undefined || '$ref' in property) return []
    return [{ schema: { ...definitionsOf(schema), ...property }, given: value, site: { path: { parent: path, key }, at: 'key' } }]
  })
}

function missing(called: string, { required }: JsonObject, given: JsonObject, { path, at }: Site): Finding[] {
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
  // Both lists are of authors: of very many names the first are compared, and fewer shown.
  const free = known.filter((candidate) => !Object.hasOwn(given, candidate)).slice(0, 100)
  const possible = known.length === 0 ? 'Remove it.' : `Remove it; possible are ${known.slice(0, 20).join(', ')}.`
  return Object.keys(given)
    .filter((name) => !names.has(name))
    .map((name, index) => {
      const message = `The function ${quoted(called)} does not take ${quoted(name)}.`
      const hint = index < 100 ? meant(name, free, possible) : possible
      return { code: 'invalid_argument', path: { parent: path, key: name }, at: 'key', message, hint }
    })
}

/** Whether a schema takes the properties that it lists and no others. */
function isClosed(schema: JsonObject): boolean {
  return schema['additionalProperties'] === false && !('patternProperties' in schema)
}

/** What a schema says of each property on its own: nothing in which one property decides about another. */
function ofEachValue(schema: JsonObject): JsonObject {
  const kept = ['properties', 'patternProperties', 'additionalProperties'].filter((key) => key in schema)
  return { ...definitionsOf(schema), ...Object.fromEntries(kept.map((key) => [key, schema[key] ?? null])) }
}

/** What references inside of a schema may lead to. */
function definitionsOf(schema: JsonObject): JsonObject {
  const kept = ['$schema', '$id', '$defs', 'definitions'].filter((key) => key in schema)
  return Object.fromEntries(kept.map((key) => [key, schema[key] ?? null]))
}

function faults(called: string, schema: JsonObject, value: JsonObject, { path, at: whole }: Site, checkValue: CheckValue): Finding[] {
  const byPointer = new Map<string, string[]>()
  for (const { pointer, detail } of checkValue?.(schema, value) ?? []) {
    byPointer.set(pointer, [...(byPointer.get(pointer) ?? []), detail.trim().replace(/[.]$/, '')])
  }
  // A validator may also say of each object around a value that it does not fit.
  const around = above(byPointer.keys())
  const innermost = [...byPointer].filter(([pointer]) => !around.has(pointer))
  return innermost.map(([pointer, details]) => {
    const at = pointerKeys(pointer).reduce<Path>((parent, key) => ({ parent, key }), path)
    const subject = pointer === '' ? 'The arguments do' : `${quoted(String(at.key))} does`
    const said = [...new Set(details)].slice(0, detailsMax).join('; ')
    const message = `${subject} not fit what the function ${quoted(called)} takes: ${said}.`
    return { code: 'invalid_argument', path: at, at: pointer === '' ? whole : 'value', message, hint: `See what ${called} takes.` }
  })
}

/** More reasons why one value does not fit help nobody. */
const detailsMax = 3

function holdsExpression(value: Json): boolean {
  if (typeof value === 'string') return isRuntimeExpression(value)
  if (Array.isArray(value)) return value.some((item: Json) => holdsExpression(item))
  return isObject(value) && Object.values(value).some(holdsExpression)
}

import { isRuntimeExpression } from '#src/expression/runtime-expression.ts'
import { type Path, pointerKeys } from '#src/parse/pointer.ts'
import { isObject, objectAt } from '#src/shape/variables.ts'
import type { Json, JsonObject } from '#src/types/json.ts'
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
  const byName = [...missing(called, schema, given, site), ...unknown(called, schema, given, site.path)]
  if (!holdsExpression(given)) return [...byName, ...faults(called, withoutNames(schema), given, site, checkValue)]
  const literal = Object.entries(given).filter(([, value]) => !holdsExpression(value))
  const inside = Object.entries(given).flatMap(([name, value]) => {
    const property = objectAt(objectAt(schema, 'properties') ?? {}, name)
    if (!isObject(value) || property === undefined || !holdsExpression(value) || '$ref' in property) return []
    const inner = { ...definitionsOf(schema), ...property }
    return argumentFindings(called, inner, value, { path: { parent: site.path, key: name }, at: 'key' }, checkValue)
  })
  return [...byName, ...inside, ...faults(called, ofEachValue(schema), Object.fromEntries(literal), site, checkValue)]
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
  return Object.keys(given)
    .filter((name) => !known.includes(name))
    .map((name) => {
      const free = known.filter((candidate) => !Object.hasOwn(given, candidate))
      const hint = meant(name, free, known.length === 0 ? 'Remove it.' : `Remove it; possible are ${known.join(', ')}.`)
      const message = `The function ${quoted(called)} does not take ${quoted(name)}.`
      return { code: 'invalid_argument', path: { parent: path, key: name }, at: 'key', message, hint }
    })
}

/** Whether a schema takes the properties that it lists and no others. */
function isClosed(schema: JsonObject): boolean {
  return schema['additionalProperties'] === false && !('patternProperties' in schema)
}

/** A schema without what has been checked here already. */
function withoutNames(schema: JsonObject): JsonObject {
  const checked = isClosed(schema) ? ['required', 'additionalProperties'] : ['required']
  return Object.fromEntries(Object.entries(schema).filter(([key]) => !checked.includes(key)))
}

/** What a schema says of each property on its own: nothing in which one property decides about another. */
function ofEachValue(schema: JsonObject): JsonObject {
  const own = withoutNames(schema)
  const kept = ['properties', 'patternProperties', 'additionalProperties'].filter((key) => key in own)
  return { ...definitionsOf(schema), ...Object.fromEntries(kept.map((key) => [key, own[key] ?? null])) }
}

/** What references inside of a schema may lead to. */
function definitionsOf(schema: JsonObject): JsonObject {
  const kept = ['$schema', '$id', '$defs', 'definitions'].filter((key) => key in schema)
  return Object.fromEntries(kept.map((key) => [key, schema[key] ?? null]))
}

function faults(called: string, schema: JsonObject, value: JsonObject, { path, at: whole }: Site, checkValue: CheckValue): Finding[] {
  const found = checkValue?.(schema, value) ?? []
  const pointers = found.map(({ pointer }) => pointer)
  // A validator may also say of each object around a value that it does not fit, and of one value why in several ways.
  const innermost = found.filter(
    ({ pointer }, index) => pointers.indexOf(pointer) === index && !pointers.some((other) => other.startsWith(`${pointer}/`)),
  )
  return innermost.map(({ pointer, detail }) => {
    const at = pointerKeys(pointer).reduce<Path>((parent, key) => ({ parent, key }), path)
    const said = detail.trim().replace(/[.]$/, '')
    const message = `${pointer === '' ? 'The arguments do' : `${quoted(String(at.key))} does`} not fit what the function ${quoted(called)} takes: ${said}.`
    return { code: 'invalid_argument', path: at, at: pointer === '' ? whole : 'value', message, hint: `See what ${called} takes.` }
  })
}

function holdsExpression(value: Json): boolean {
  if (typeof value === 'string') return isRuntimeExpression(value)
  if (Array.isArray(value)) return value.some((item: Json) => holdsExpression(item))
  return isObject(value) && Object.values(value).some(holdsExpression)
}

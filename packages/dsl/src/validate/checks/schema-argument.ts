import type { JsonObject } from '#src/json.ts'
import type { Path } from '#src/parse/pointer.ts'
import { isObject, objectAt } from '#src/shape/variables.ts'
import type { Finding } from '#src/validate/facts.ts'
import { checkSchema } from '#src/validate/walk/check-schema.ts'
import { quoted } from '#src/validate/wording.ts'

/** Keywords with which a schema says what it accepts. */
const keywords: ReadonlySet<string> = new Set(
  (
    'type properties required additionalProperties patternProperties propertyNames minProperties maxProperties dependentRequired dependentSchemas ' +
    'dependencies unevaluatedProperties items prefixItems contains minItems maxItems uniqueItems enum const allOf anyOf oneOf not if $ref $dynamicRef ' +
    'minLength maxLength pattern format minimum maximum exclusiveMinimum exclusiveMaximum multipleOf'
  ).split(' '),
)
/** Keywords that say nothing about the value. */
const notes: ReadonlySet<string> = new Set('title description examples default deprecated'.split(' '))
const example = '{ type: object, properties: { category: { type: string, enum: [damaged, late] } }, required: [category] }'

/** Findings about an argument that has to be a JSON Schema of an object. */
export function schemaArgumentFindings(schema: JsonObject, path: Path): readonly Finding[] {
  const findings: Finding[] = []
  const names = Object.keys(schema)
  const unknown = names.find((name) => !notes.has(name) && !name.startsWith('$'))
  if (unknown !== undefined && !names.some((name) => keywords.has(name))) {
    const message = `${quoted(String(path.key))} is not a JSON Schema: ${quoted(unknown)} is no keyword of it.`
    findings.push({
      code: 'invalid_argument',
      path: { parent: path, key: unknown },
      at: 'key',
      message,
      hint: `Write for example ${example}.`,
    })
  }
  checkSchema(findings, schema, path)
  return [...findings, ...memberFindings(schema, path)]
}

/** Members of objects whose schema is no schema, such as a text; within objects as well. */
function memberFindings(schema: JsonObject, path: Path): readonly Finding[] {
  return Object.entries(objectAt(schema, 'properties') ?? {}).flatMap(([name, member]): readonly Finding[] => {
    const at: Path = { parent: { parent: path, key: 'properties' }, key: name }
    if (isObject(member)) return memberFindings(member, at)
    if (typeof member === 'boolean') return []
    const message = `${quoted(name)} needs a schema, an object.`
    return [
      { code: 'invalid_argument', path: at, at: 'value', message, hint: 'Write for example { type: string, description: what it is }.' },
    ]
  })
}

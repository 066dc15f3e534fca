import { suggest } from '#src/diagnostics/suggest.ts'
import type { Path } from '#src/parse/pointer.ts'
import { isObject } from '#src/shape/variables.ts'
import type { Json } from '#src/json.ts'
import type { Finding } from '#src/validate/facts.ts'
import { quoted } from '#src/validate/wording.ts'

const types = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']
/** Keywords whose value is a schema, a list of schemas, or an object of schemas. */
const single = [
  'items',
  'additionalProperties',
  'not',
  'if',
  'then',
  'else',
  'contains',
  'propertyNames',
  'unevaluatedItems',
  'unevaluatedProperties',
]
const lists = ['allOf', 'anyOf', 'oneOf', 'prefixItems', 'items']
const maps = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']
/** Schemas of one document; what is beyond is not checked. */
const schemasMax = 1_000

/** Reports misspelled types: a validator accepts no value for one of them, so every input would fail. */
export function checkSchema(findings: Finding[], schema: Json, path: Path | undefined): void {
  const pending: { readonly schema: Json; readonly path: Path | undefined }[] = [{ schema, path }]
  for (let count = 0; count < schemasMax; count++) {
    const next = pending.pop()
    if (next === undefined) return
    const { schema: node, path: at } = next
    if (!isObject(node)) continue
    checkTypes(findings, node['type'], { parent: at, key: 'type' })
    for (const key of single) if (isObject(node[key])) pending.push({ schema: node[key], path: { parent: at, key } })
    for (const key of lists) {
      const list = node[key]
      if (Array.isArray(list))
        for (const [index, item] of list.entries()) pending.push({ schema: item, path: { parent: { parent: at, key }, key: index } })
    }
    for (const key of maps) {
      const map = node[key]
      if (isObject(map))
        for (const name of Object.keys(map)) pending.push({ schema: map[name] ?? null, path: { parent: { parent: at, key }, key: name } })
    }
  }
}

function checkTypes(findings: Finding[], type: Json | undefined, path: Path): void {
  if (typeof type === 'string') return checkType(findings, type, path)
  if (Array.isArray(type))
    for (const [index, item] of type.entries()) if (typeof item === 'string') checkType(findings, item, { parent: path, key: index })
}

function checkType(findings: Finding[], type: string, path: Path): void {
  if (types.includes(type)) return
  // Other words are left alone: the schema may be of another language, which is reported where it is used.
  const close = Object.hasOwn(synonyms, type) ? synonyms[type] : suggest(type, types)
  if (close === undefined) return
  const message = `${quoted(type)} is not a type of JSON Schema.`
  findings.push({ code: 'invalid_value', path, at: 'value', message, hint: `Did you mean ${quoted(close)}?` })
}

/** Types of other languages. */
const synonyms: Readonly<Record<string, string>> = {
  int: 'integer',
  float: 'number',
  double: 'number',
  str: 'string',
  text: 'string',
  bool: 'boolean',
  list: 'array',
  dict: 'object',
}

import { membersOf } from '#core/json.ts'
import type { Keyword, Node, Rules } from '#schema/rule.ts'
import { arrayKeywords } from './arrays.ts'
import { choiceKeywords } from './choices.ts'
import { numberKeywords } from './numbers.ts'
import { objectKeywords } from './objects.ts'
import { propertyKeywords } from './properties.ts'
import { referenceKeywords } from './references.ts'
import { stringKeywords } from './strings.ts'
import { unevaluatedKeywords } from './unevaluated.ts'
import { valueKeywords } from './values.ts'

/** All keywords, in the order in which they are applied and reported. */
const keywords = new Map<string, Keyword>(
  [
    valueKeywords,
    numberKeywords,
    stringKeywords,
    arrayKeywords,
    objectKeywords,
    propertyKeywords,
    referenceKeywords,
    choiceKeywords,
    unevaluatedKeywords,
  ].flatMap((group) => Object.entries(group)),
)
const order = new Map([...keywords.keys()].map((keyword, index) => [keyword, index]))

/** Compiles a schema. Unknown keywords are annotations, as the specification has it. */
export function compileRules(node: Node): Rules {
  const rules: Rules = { any: [], number: [], string: [], array: [], object: [], unevaluated: [] }
  const schema = typeof node.schema === 'boolean' ? {} : membersOf(node.schema)
  const known = Object.keys(schema).filter((keyword) => keywords.has(keyword))
  for (const keyword of known.toSorted((one, other) => (order.get(one) ?? 0) - (order.get(other) ?? 0))) {
    keywords.get(keyword)?.(schema[keyword] ?? null, node, rules)
  }
  return rules
}

import { read, readText } from './api.ts'
import { type Attack, type Attacker, runs } from './attack.ts'

const mebibyte = 1024 * 1024

/** A workflow with this input schema, started with the input that is most expensive to validate. */
function validates(schema: unknown, input: unknown): Attack['open'] {
  return runs({ input: { schema: { document: schema } }, do: [{ act: { set: { a: 1 } } }] }, input)
}

/** `$ref` to two of the next level each, so that each level doubles the work. */
function doubling(levels: number, keyword: 'allOf' | 'anyOf' | 'oneOf'): unknown {
  const definitions = Object.fromEntries(
    Array.from({ length: levels }, (_, n) => [`d${n}`, { [keyword]: [{ $ref: `#/$defs/d${n + 1}` }, { $ref: `#/$defs/d${n + 1}` }] }]),
  )
  return { $defs: { ...definitions, [`d${levels}`]: keyword === 'allOf' ? { type: 'string' } : { type: 'number' } }, $ref: '#/$defs/d0' }
}

const numbers = Array.from({ length: 60_000 }, (_, n) => n)
const objects = Array.from({ length: 6_000 }, (_, n) => ({ a: 1, b: { c: [n] } }))
const letters = 'a'.repeat(500_000)

/** Formats, each with a text on which a backtracking expression takes exponential time. */
const formats: Readonly<Record<string, string>> = {
  url: `http://${'a'.repeat(60)} `,
  email: `${'a.'.repeat(100_000)}@`,
  'idn-email': `${'a.'.repeat(100_000)}@`,
  hostname: `${'a-'.repeat(200_000)}!`,
  'idn-hostname': `${'ä-'.repeat(100_000)}!`,
  uri: `http://${'a%20'.repeat(100_000)} `,
  'uri-reference': `${'/a'.repeat(200_000)} `,
  'uri-template': `${'{a}'.repeat(100_000)}{`,
  iri: `http://${'ä'.repeat(100_000)} `,
  regex: '(a|'.repeat(30_000),
  uuid: '0'.repeat(500_000),
  'json-pointer': `${'/~0'.repeat(100_000)}~`,
  ipv6: `${'0:'.repeat(200_000)}g`,
  duration: `P${'1D'.repeat(100_000)}x`,
  'date-time': `2026-01-01T00:00:00.${'0'.repeat(400_000)}x`,
}

export const schemaAttacks: readonly Attack[] = [
  ...Object.entries(formats).map(
    ([format, text]): Attack => ({
      name: `format ${format}`,
      family: 'schemas',
      lanes: 4,
      open: validates({ type: 'string', format }, text),
    }),
  ),
  { name: 'unique among 60,000 numbers', family: 'schemas', lanes: 4, open: validates({ uniqueItems: true }, numbers) },
  { name: 'unique among 6,000 objects', family: 'schemas', lanes: 4, open: validates({ uniqueItems: true }, objects) },
  { name: 'references that double 22 times, allOf', family: 'schemas', lanes: 4, open: validates(doubling(22, 'allOf'), 'x') },
  { name: 'references that double 30 times, anyOf', family: 'schemas', lanes: 4, open: validates(doubling(30, 'anyOf'), 'x') },
  { name: 'references that double 26 times, oneOf', family: 'schemas', lanes: 4, open: validates(doubling(26, 'oneOf'), 'x') },
  {
    name: 'a reference to itself',
    family: 'schemas',
    lanes: 4,
    open: validates({ $defs: { a: { $ref: '#/$defs/a' } }, $ref: '#/$defs/a' }, 'x'),
  },
  {
    name: 'a recursive schema on a deep value',
    family: 'schemas',
    lanes: 4,
    open: validates(
      { anyOf: [{ type: 'number' }, { items: { $ref: '#' } }, { items: { $ref: '#' } }] },
      JSON.parse('['.repeat(40) + ']'.repeat(40)),
    ),
  },
  {
    name: 'an enumeration of 20,000 for 20,000 items',
    family: 'schemas',
    lanes: 4,
    open: validates(
      { items: { enum: Array.from({ length: 20_000 }, (_, n) => ({ n })) } },
      Array.from({ length: 20_000 }, (_, n) => ({ n: 19_999 - (n % 7) })),
    ),
  },
  {
    name: '2,000 patterns of properties on 5,000 properties',
    family: 'schemas',
    lanes: 4,
    open: validates(
      { patternProperties: Object.fromEntries(Array.from({ length: 2_000 }, (_, n) => [`^(a|b)*${n}$`, { type: 'number' }])) },
      Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`ab${n}`, 1])),
    ),
  },
  {
    name: 'contains of a costly schema',
    family: 'schemas',
    lanes: 4,
    open: validates({ contains: { allOf: Array.from({ length: 1_000 }, () => ({ not: { const: 1 } })), type: 'string' } }, numbers),
  },
  {
    name: 'unevaluated properties of many alternatives',
    family: 'schemas',
    lanes: 4,
    open: validates(
      { anyOf: Array.from({ length: 2_000 }, (_, n) => ({ properties: { [`p${n}`]: true } })), unevaluatedProperties: false },
      Object.fromEntries(Array.from({ length: 2_000 }, (_, n) => [`p${n}`, 1])),
    ),
  },
  { name: 'a pattern on a text of 500,000 letters', family: 'schemas', lanes: 4, open: validates({ pattern: '^(a|aa|aaa)*b$' }, letters) },
  {
    name: 'a schema of 1 MiB',
    family: 'schemas',
    lanes: 4,
    open: validates({ allOf: Array.from({ length: 20_000 }, (_, n) => ({ not: { const: `value ${n} of this enumeration` } })) }, letters),
  },
  { name: 'forms of approvals', family: 'schemas', lanes: 4, open: answers({ type: 'string', format: 'url' }, formats['url']) },
  { name: 'forms of approvals that double', family: 'schemas', lanes: 4, open: answers(doubling(24, 'anyOf'), 'x'.repeat(mebibyte / 20)) },
]

/** An approval waits, and invalid decisions for it are rejected repeatedly. */
function answers(form: unknown, data: unknown): Attack['open'] {
  return async (attacker) => {
    const approvers = [{ role: 'owner' }]
    const ask = { call: 'approve', with: { title: 'attack', approvers, excludeStarter: false, form } }
    const id = await attacker.define({ do: [{ ask }] })
    const execution = id === undefined ? undefined : readText(await attacker.start(id), 'id')
    const approval = await approvalOf(attacker, String(execution))
    const path = `/workflows/executions/${String(execution)}/approvals/${approval}`
    return async () => await attacker.asPerson({ method: 'POST', path, body: { decision: 'approve', data } })
  }
}

async function approvalOf(attacker: Attacker, execution: string): Promise<string> {
  for (let tries = 0; tries < 50; tries++) {
    const data = read(await attacker.call({ path: `/workflows/executions/${execution}/approvals` }), 'data')
    const first: unknown = Array.isArray(data) ? data[0] : undefined
    if (typeof first === 'object' && first !== null) return String(Reflect.get(first, 'id'))
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return 'none'
}

import { recordOf, type Schema } from './description.ts'
import type { Random } from './random.ts'

/** The sources of values: references of the description, and ids of existing resources. */
export interface Material {
  readonly resolve: (schema: Schema) => Schema
  readonly idOf: (prefix: string, random: Random) => string
  /** Whether there are resources whose ids have this prefix. */
  readonly hasIds: (prefix: string) => boolean
  /** A text for a member or parameter of this name, such as a definition or a token. */
  readonly textOf: (name: string) => string | undefined
}

/** The position of a value. */
interface ValuePosition {
  readonly name?: string
  readonly depth: number
}

const depthMax = 12

/** A value that satisfies a schema, as far as the schema expresses it. */
export function valueFor(schema: Schema, random: Random, material: Material, place: ValuePosition = { depth: 0 }): unknown {
  const node = material.resolve(schema)
  const { depth } = place
  if (depth > depthMax) return null
  if (node['const'] !== undefined) return node['const']
  const options = ['enum', 'anyOf', 'oneOf'].map((key) => node[key]).find((list) => Array.isArray(list) && list.length > 0)
  if (Array.isArray(node['enum'])) return pickOf(node['enum'], random)
  if (Array.isArray(options)) return valueFor(recordOf(pickOf(options, random)), random, material, { ...place, depth: depth + 1 })
  const type = Array.isArray(node['type']) ? pickOf(node['type'], random) : node['type']
  switch (type) {
    case 'object':
      return objectFor(node, random, material, depth)
    case 'array':
      return arrayFor(node, random, material, depth)
    case 'string':
      return (place.name === undefined || random.chance(0.2) ? undefined : material.textOf(place.name)) ?? textFor(node, random, material)
    case 'integer':
    case 'number':
      return numberFor(node, random)
    case 'boolean':
      return random.chance(0.5)
    case 'null':
      return null
    default:
      return random.pick<unknown>([null, 1, 'text', [1, 'two', { three: 3 }], { name: 'Ada', count: 3 }])
  }
}

function objectFor(node: Schema, random: Random, material: Material, depth: number): unknown {
  const required = new Set<unknown>(Array.isArray(node['required']) ? node['required'] : [])
  const members = Object.entries(recordOf(node['properties'])).filter(([name]) => required.has(name) || random.chance(0.4))
  if (members.length === 0 && Array.isArray(node['examples'])) return pickOf(node['examples'], random)
  return Object.fromEntries(
    members.map(([name, member]) => [name, valueFor(recordOf(member), random, material, { name, depth: depth + 1 })]),
  )
}

function arrayFor(node: Schema, random: Random, material: Material, depth: number): unknown {
  const least = typeof node['minItems'] === 'number' ? node['minItems'] : 0
  return Array.from({ length: least + random.int(3) }, () => valueFor(recordOf(node['items']), random, material, { depth: depth + 1 }))
}

function textFor(node: Schema, random: Random, { idOf }: Material): string {
  const { pattern, format, examples } = node
  const prefix = typeof pattern === 'string' ? /^\^([a-z]+)_\[/.exec(pattern)?.[1] : undefined
  if (prefix !== undefined) return idOf(prefix, random)
  // No request may leave the machine.
  if (format === 'uri') return 'http://127.0.0.1:9/'
  if (Array.isArray(examples) && random.chance(0.7)) return String(pickOf(examples, random))
  if (typeof format === 'string') return byFormat(format, random)
  const least = typeof node['minLength'] === 'number' ? node['minLength'] : 0
  const most = typeof node['maxLength'] === 'number' ? Math.min(node['maxLength'], 40) : 40
  const alphabet = [...'abc XYZ 019_-.:/äß漢😀']
  return Array.from({ length: least + random.int(Math.max(1, most - least)) }, () => pickOf(alphabet, random)).join('')
}

function byFormat(format: string, random: Random): string {
  switch (format) {
    case 'date-time':
      return random.pick(['2026-01-31T09:30:00Z', '2026-12-31T23:59:59.999Z', '1970-01-01T00:00:00Z'])
    case 'duration':
      return random.pick(['PT0S', 'PT1H', 'P1D', 'P7D', 'PT0.5S'])
    case 'email':
      return `fuzz-${random.int(1e9)}@example.com`
    default:
      return random.pick(['a rather unusual phrase 4711', 'text', 'dGV4dA=='])
  }
}

function numberFor(node: Schema, random: Random): number {
  const least = typeof node['minimum'] === 'number' ? node['minimum'] : 0
  const most = typeof node['maximum'] === 'number' ? node['maximum'] : least + 100
  return least + random.int(Math.min(most - least + 1, random.chance(0.8) ? 2 : Number.POSITIVE_INFINITY))
}

const hostileTexts = [
  '',
  ' ',
  'x'.repeat(300),
  'x'.repeat(5_000),
  '💥'.repeat(300),
  'NUL \0',
  'half \ud800',
  '\udc00 other half',
  '\u202e\u200b\ufeff',
  '\n\t\r',
  '9'.repeat(400),
  '1e400',
  '-1',
  '2147483648',
  '9007199254740991',
  'NaN',
  '__proto__',
  'constructor',
  "'; drop table users; --",
  '../../../etc/passwd',
  '${ . }',
  '%00',
  '%zz',
  '2026-13-45T99:99:99Z',
  '-271821-04-20T00:00:00.000Z',
  '+275760-09-13T00:00:00.001Z',
  'P99999999999999D',
  'wf_01jd0000000000000000000000',
  'wf_7zzzzzzzzzzzzzzzzzzzzzzzzz',
] as const

/** Text inserted into JSON unchanged, such as a number that `JSON.stringify` cannot write. */
export class Literal {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** A text of a known attack or edge case. */
export function hostileText(random: Random): string {
  return random.pick(hostileTexts)
}

/** A value that almost no schema allows. */
export function hostileValue(random: Random): unknown {
  return random.pick<() => unknown>([
    () => hostileText(random),
    () => hostileText(random),
    () => random.pick<unknown>([null, true, 0, -1, 1.5, -0, 2 ** 31, 2 ** 53, Number.MAX_VALUE, Number.MIN_VALUE]),
    () => new Literal(random.pick(['1e400', '-1e999', '12345678901234567890123', '1e-400', '9007199254740993', '01', '.5', 'NaN'])),
    () => random.pick<unknown>([[], [null], {}, { a: {} }, [[[]]]]),
    () => nested(random.pick([10, 63, 64, 65, 500, 5_000])),
    () => Array.from({ length: random.pick([101, 1_001, 5_000]) }, (_, at) => at),
    () => ({ ['__proto__']: { polluted: true }, constructor: { prototype: 1 } }),
  ])()
}

function nested(depth: number): Literal {
  return new Literal(`${'['.repeat(depth)}1${']'.repeat(depth)}`)
}

/** Adds, removes or replaces a random part of a value. */
export function mutated(value: unknown, random: Random, depth = 0): unknown {
  if (Array.isArray(value) && value.length > 0 && random.chance(0.7)) {
    const at = random.int(value.length)
    return value.map((item: unknown, index) => (index === at ? mutated(item, random, depth + 1) : item))
  }
  if (typeof value === 'object' && value !== null && !(value instanceof Literal)) {
    const entries = Object.entries(value)
    if (entries.length === 0 || random.chance(0.15)) return { ...value, [hostileText(random)]: hostileValue(random) }
    const at = random.int(entries.length)
    if (random.chance(0.15)) return Object.fromEntries(entries.filter((_, index) => index !== at))
    return Object.fromEntries(entries.map(([key, item], index) => [key, index === at ? mutated(item, random, depth + 1) : item]))
  }
  return hostileValue(random)
}

/** Writes JSON, with literals as they are. */
export function jsonOf(value: unknown): string {
  if (value instanceof Literal) return value.text
  if (Array.isArray(value)) return `[${value.map((item) => jsonOf(item)).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  return `{${Object.entries(value)
    .map(([key, item]) => `${JSON.stringify(key)}:${jsonOf(item)}`)
    .join(',')}}`
}

function pickOf(values: readonly unknown[], random: Random): unknown {
  return values[random.int(values.length)]
}

import type { Call } from '#laws/calls.ts'
import type { Described, DescribedParameter, Description, Schema } from './description.ts'
import { adapted } from './adapted.ts'
import type { Caller, FuzzFixture } from './fuzz-fixture.ts'
import { likelyOnly, type Random } from './random.ts'
import { hostileText, hostileValue, jsonOf, type Material, mutated, valueFor } from './values.ts'

/** A request to be sent. */
export interface FuzzRequest {
  readonly op: Described
  readonly caller: Caller
  readonly method: string
  /** The path and the query, encoded. */
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | undefined
}

/** Operations that end what other requests need: the session or the account of their caller. */
const ending = /^auth\.(?:logout|deleteMe)/
/** Operations for accounts without a subscription; the owner has one. */
const beginning = /^billing\.(?:subscribe|checkoutPsp)/

/** A request that is valid as far as the description says what is valid, by a caller and with ids that should be accepted. */
export function plainRequestOf(op: Described, description: Description, fixture: FuzzFixture, random: Random): FuzzRequest {
  return made(op, description, fixture, { random: likelyOnly(random), ownShare: 1 })
}

/** Any request: valid, mutated or hostile. */
export function requestOf(op: Described, description: Description, fixture: FuzzFixture, random: Random): FuzzRequest {
  // A deleted resource is missing in all later requests.
  return made(op, description, fixture, { random, ownShare: op.method === 'DELETE' ? 0.05 : 0.6 })
}

interface Choice {
  readonly random: Random
  /** How often an id is one of the owner's. */
  readonly ownShare: number
}

function made(op: Described, description: Description, fixture: FuzzFixture, { random, ownShare }: Choice): FuzzRequest {
  const pair = op.path.includes('{approvalId}') && random.chance(0.6) ? fixture.approval : undefined
  const material: Material = {
    resolve: description.resolve,
    idOf: (prefix) => pair?.[prefix] ?? fixture.idOf(prefix, random, ownShare),
    hasIds: fixture.hasIds,
    textOf: (name) => fixture.texts[`${op.id}.${name}`] ?? fixture.texts[name],
  }
  const example = random.chance(0.6) ? fixture.exampleOf(op.id) : undefined
  const body = op.bodies.size > 0 || random.chance(0.03) ? bodyOf(op, random, material, example) : undefined
  return {
    op,
    caller: callerOf(op, random),
    method: op.method,
    target: `${pathOf(op, random, material, example)}${queryOf(op, random, material, { fixture, example })}`,
    headers: { ...example?.headers, ...(body === undefined ? {} : { 'content-type': body.type }), ...headersOf(op, random) },
    body: body?.bytes,
  }
}

function callerOf(op: Described, random: Random): Caller {
  if (op.isPublic) return random.chance(0.9) ? 'anonymous' : 'owner'
  if (ending.test(op.id) || beginning.test(op.id)) return random.chance(0.6) ? 'disposable' : random.pick(['anonymous', 'forged', 'key'])
  return random.chance(0.7) ? 'owner' : random.pick(['other', 'other', 'key', 'forged', 'anonymous'])
}

function pathOf(op: Described, random: Random, material: Material, example: Call | undefined): string {
  return op.path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => {
    const parameter = op.parameters.find((candidate) => candidate.in === 'path' && candidate.name === name)
    const text = random.chance(0.06) ? hostileText(random) : parameterText(parameter, random, material, example?.params)
    // Some are encoded insufficiently, except for characters that a request line cannot contain.
    return random.chance(0.03) ? text.replaceAll(/[^\u0021-\u007e]|[?#]/g, '%c3') : encodeURIComponent(text.toWellFormed())
  })
}

function parameterText(
  parameter: DescribedParameter | undefined,
  random: Random,
  material: Material,
  examples: Call['params'] = {},
): string {
  const example = examples[parameter?.name ?? '']
  if (example !== undefined) return String(adapted(example, random, material, parameter?.name))
  const value = valueFor(parameter?.schema ?? {}, random, material, { name: parameter?.name ?? '', depth: 0 })
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function queryOf(
  op: Described,
  random: Random,
  material: Material,
  { fixture, example }: { readonly fixture: FuzzFixture; readonly example: Call | undefined },
): string {
  const isChosen = ({ name, required }: DescribedParameter) => required || example?.query?.[name] !== undefined || random.chance(0.3)
  const chosen = op.parameters.filter((parameter) => parameter.in === 'query' && isChosen(parameter))
  const pairs = chosen.map((parameter) => {
    const hostile = random.chance(0.2)
    const text = hostile
      ? hostileText(random)
      : parameter.name === 'cursor'
        ? cursorOf(fixture, random)
        : parameterText(parameter, random, material, example?.query)
    return `${parameter.name}=${encodeURIComponent(text.toWellFormed().slice(0, 3_000))}`
  })
  const first = pairs[0]
  if (random.chance(0.03) && first !== undefined) pairs.push(first)
  if (random.chance(0.03)) pairs.push(random.pick(['unknown=1', 'a[b]=c', '__proto__=1', '=', '&&', '%ff=1', 'limit=%00']))
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

/** A cursor of the server, or a modified one. */
function cursorOf({ cursors }: FuzzFixture, random: Random): string {
  const [given] = cursors
  if (random.chance(0.5)) return random.pick(cursors)
  // What is after the point binds it to the parameters of its list; a cursor without it is one of an older release.
  const [position = ''] = given.split('.')
  const inside: unknown = JSON.parse(Buffer.from(position, 'base64url').toString())
  return Buffer.from(jsonOf(mutated(inside, random))).toString('base64url')
}

const oddHeaders: readonly [string, ...string[]] = [
  'accept: text/html',
  'accept: */*;q=0',
  'accept-encoding: br, gzip',
  'accept-encoding: x'.padEnd(500, 'x'),
  'x-request-id: fuzz:1.a_b-C',
  'x-request-id: not one',
  'if-match: "1"',
  'if-match: "99999999999999999999"',
  'if-match: "999999999999999"',
  'if-match: W/"1", ,"',
  'if-none-match: *',
  'range: bytes=0-1',
  'expect: cake',
  'content-encoding: gzip',
  'transfer-encoding: chunked',
  'cookie: session=1',
  'origin: https://evil.example.com',
  'x-forwarded-for: 10.0.0.1',
  'x-http-method-override: DELETE',
  'last-event-id: 0-0-running',
  'last-event-id: 99999999999999999999-1-x',
  'idempotency-key: one',
  'idempotency-key: two',
  `idempotency-key: ${'k'.repeat(256)}`,
  'ce-specversion: 1.0',
  'ce-id: %00',
  'ce-type: com.example.fuzz',
  'ce-source: /fuzz',
  'ce-time: never',
  'prefer: wait=99999999999999999999',
  'prefer: respond-async, wait=0',
  `user-agent: ${'ü'.repeat(100)}`,
  'sec-fetch-site: cross-site',
]

function headersOf(op: Described, random: Random): Readonly<Record<string, string>> {
  // A wait of a minute would delay all other requests.
  const headers: Record<string, string> = op.parameters.some(({ name }) => name === 'Prefer') ? { prefer: 'wait=1' } : {}
  while (random.chance(0.2)) {
    const [name = '', value = ''] = random.pick(oddHeaders).split(/: (.*)/)
    headers[name] = value
  }
  return headers
}

interface Body {
  readonly type: string
  readonly bytes: Buffer
}

function bodyOf(op: Described, random: Random, material: Material, example: Call | undefined): Body {
  const types = [...op.bodies.keys()]
  const declared = example?.body === undefined ? (types[random.int(types.length)] ?? 'application/json') : 'application/json'
  const type = random.chance(0.05)
    ? random.pick([
        'text/plain',
        'application/x-www-form-urlencoded',
        'application/json; charset=latin1',
        'not a type',
        'multipart/form-data',
        'application/yaml',
      ])
    : declared === '*/*'
      ? 'text/plain'
      : declared
  const text = declared.endsWith('yaml') ? yamlOf(random) : damagedJson(valueOf(op.bodies.get(declared) ?? {}), random)
  const bytes = Buffer.from(text)
  if (random.chance(0.03)) return { type, bytes: bytes.subarray(0, random.int(bytes.length + 1)) }
  if (random.chance(0.02)) return { type, bytes: Buffer.concat([bytes, Buffer.from([0xff, 0xc0, 0x80])]) }
  if (random.chance(0.005)) return { type, bytes: Buffer.alloc(5 * 1024 * 1024, 0x20) }
  return { type, bytes }

  function valueOf(schema: Schema): unknown {
    if (example?.body === undefined) return valueFor(schema, random, material)
    // A signature in the headers fits the body as it is.
    return example.headers === undefined ? adapted(example.body, random, material) : example.body
  }
}

/** A value as JSON, in half of the cases changed or replaced. */
function damagedJson(value: unknown, random: Random): string {
  if (random.chance(0.55)) return jsonOf(value)
  if (random.chance(0.15)) return jsonOf(hostileValue(random))
  let changed = mutated(value, random)
  while (random.chance(0.3)) changed = mutated(changed, random)
  return jsonOf(changed)
}

const pieces: readonly [string, ...string[]] = [
  '\t',
  '\n',
  '"',
  '${',
  '}',
  ': ',
  '- ',
  '&a ',
  '*a',
  '!!js ',
  '---\n',
  '\0',
  '\u2028',
  '<<: ',
  '"\\0"',
  '😀',
  '? ',
  '|',
  '1e400',
]

/** A definition, or a damaged one. */
function yamlOf(random: Random): string {
  const text = `document: { dsl: '1.0.3', namespace: fuzz, name: y-${random.int(1e9)}, version: 1.0.0 }
do:
  - greet: { set: { message: '\${ "Hello, " + (.name // "world") }', text: "\\u00e9" } }
`
  if (random.chance(0.5)) return text
  if (random.chance(0.2)) return text.replace('\\u00e9', '\\ud800')
  const at = random.int(text.length)
  return text.slice(0, at) + random.pick(pieces) + text.slice(at + random.int(10))
}

import { describe, expect, test } from 'vitest'
import { canonicalJson, canonicalYaml } from './canonical/canonical.ts'
import type { Diagnostic } from './diagnostics/diagnostic.ts'
import { parseDefinition } from './parse/parse-definition.ts'
import { childPointer, pointerKeys } from './parse/pointer.ts'
import { isObject } from './shape/variables.ts'
import { expectAgreement } from './testing/agreement.ts'
import { officialPropertyNames, officialSchema } from './testing/official-schema.ts'
import { around, places, replaced } from './testing/places.ts'
import { specimen } from './testing/specimen-definition.ts'
import type { Json, JsonObject } from './json.ts'
import { validateDefinition } from './validate/validate-definition.ts'

const text = JSON.stringify(specimen, null, 2)
const document: Json = JSON.parse(text)

function errorsOf(value: Json): readonly Diagnostic[] {
  return validateDefinition(JSON.stringify(value)).diagnostics.filter(({ severity }) => severity === 'error')
}

test('the specimen is valid, for us and for the official schema', () => {
  expect(errorsOf(document)).toEqual([])
  expect(officialSchema()(document)).toBe(true)
})

test('the specimen has every property that the specification lists', () => {
  const names = [...officialPropertyNames()]
  expect(names.length).toBeGreaterThan(100)
  const known = new Set(namesIn(document))
  // The result of a process and the message of a subscription are not parts of a definition. The schema has the version of an MCP client
  // under the name `description` (docs/dsl.md, Where the sources differ).
  const elsewhere = new Set(['stdout', 'stderr', 'correlationId', 'description'])
  expect(names.filter((name) => !known.has(name) && !elsewhere.has(name))).toEqual([])
})

function namesIn(value: Json): string[] {
  if (Array.isArray(value)) return value.flatMap((item: Json) => namesIn(item))
  return isObject(value) ? Object.entries(value).flatMap(([key, item]) => [key, ...namesIn(item)]) : []
}

describe('canonical', () => {
  test('the specimen is in the order of the specification already, and comes out as it went in', () => {
    for (const form of [canonicalJson(specimen), canonicalYaml(specimen)]) {
      expect(parseDefinition(form).document).toEqual(document)
    }
    expect(canonicalYaml(JSON.parse(canonicalJson(specimen)))).toBe(canonicalYaml(specimen))
  })

  test('however the properties are shuffled, the canonical form is the same', () => {
    // Keys of the author keep their order, so only objects whose keys are all the DSL's are turned around.
    const turned = turnAround(document, '')
    expect(canonicalJson(turned)).toBe(canonicalJson(specimen))
  })
})

const own =
  /\/(?:body|headers|query|parameters|arguments|environment|payload|variables|set|from|document|tags|metadata|ports|volumes|data|options|input|in|extensions|with|as|exponential|branches|use|logging)(?:\/|$)/

function turnAround(value: Json, pointer: string): Json {
  if (Array.isArray(value)) return value.map((item: Json, index) => turnAround(item, childPointer(pointer, index)))
  if (!isObject(value)) return value
  const entries = Object.entries(value).map(([key, item]): [string, Json] => [key, turnAround(item, childPointer(pointer, key))])
  return Object.fromEntries(own.test(pointer) ? entries : entries.toReversed())
}

/** The errors of the specimen with one place of it changed; the official schema has to agree that there are some, or none. */
function errorsWith(pointer: string, change: (owner: Json, key: string) => Json): readonly Diagnostic[] {
  // One task leads to another, which has to be there.
  const small = around(document, pointer, ['trying'])
  const changed = replaced(small.document, pointerKeys(small.pointer), change)
  const errors = errorsOf(changed)
  expectAgreement(changed, errors)
  const task = /^\/do\/\d+/.exec(pointer)?.[0]
  return small.pointer === pointer || task === undefined
    ? errors
    : errors.map((error) => ({ ...error, pointer: error.pointer.replace(/^\/do\/0/, task) }))
}

function withValue(wrong: Json) {
  return (owner: Json, name: string): Json => {
    if (Array.isArray(owner)) return owner.map((item: Json, index) => (String(index) === name ? wrong : item))
    return isObject(owner) ? { ...owner, [name]: wrong } : owner
  }
}

function renamed(name: string) {
  return (owner: Json, key: string): Json => {
    if (!isObject(owner)) return owner
    return Object.fromEntries(Object.entries(owner).map(([other, item]) => [other === key ? name : other, item]))
  }
}

function without(owner: Json, key: string): Json {
  if (!isObject(owner)) return owner
  const rest: JsonObject = Object.fromEntries(Object.entries(owner).filter(([other]) => other !== key))
  return rest
}

/** Data of the author, in which anything goes. */
const freeBelow =
  /\/(?:tags|metadata|body|parameters|payload|variables|ports|volumes|data|exponential|constant|linear|set)\/|\/(?:arguments|environment)\/(?!\d)|\/(?:from|as|input|in\/\d+)\/(?:id|list|order|result|context|name)|\/message\/headers\/|\/function\/with\/|\/document\/(?:type|required)/
const freeItself = /\/(?:data|body|tenant|schema\/document|run\/workflow\/input)$/
const process = /\/stdio\/environment\//

function isFree(pointer: string): boolean {
  return (freeBelow.test(pointer) || freeItself.test(pointer)) && !process.test(pointer) && !pointer.endsWith('/metadata/concurrency')
}

/** Names that the author gives: of tasks, components, correlations, headers. */
function isNamed(pointer: string): boolean {
  // Events may have attributes of any other name.
  return /\/(?:event|one|all\/\d+|any\/\d+)\/with\/|\/\d+\/[^/]+$|^\/use\/\w+\/[^/]+$|\/(?:correlate|headers|query|options|environment)\/[^/]+$/.test(
    pointer,
  )
}

describe('every place of the specimen', () => {
  const all = places(document).filter(([pointer]) => pointer !== '' && !isFree(pointer))

  test('a wrong value at any place is an error there', () => {
    const seen = new Set<string>()
    for (const [pointer] of all) {
      const small = JSON.stringify(around(document, pointer, ['trying']).document)
      if (seen.has(small)) continue
      seen.add(small)
      expect({ pointer, errors: errorsOf(JSON.parse(small)) }).toEqual({ pointer, errors: [] })
    }
    expect(seen.size).toBeGreaterThan(50)
  })

  test('refuses a value of a type that it does not take', () => {
    for (const [pointer, value] of all) {
      // A list of a string is of the wrong type wherever the DSL says what goes in.
      const wrong: Json = Array.isArray(value) ? { wrong: true } : [['wrong']]
      const errors = errorsWith(pointer, withValue(wrong))
      const there = errors.filter((error) => error.pointer === pointer || error.pointer.startsWith(`${pointer}/`))
      expect({ pointer, there: there.length > 0 }).toEqual({ pointer, there: true })
    }
  })

  test('a misspelled property is reported as missing or suggested', () => {
    for (const [pointer] of all) {
      const key = pointerKeys(pointer).at(-1) ?? ''
      if (/^(?:\d+|concurrency)$/.test(key) || isNamed(pointer)) continue
      const misspelled = `${key}x`
      const owner = pointer.slice(0, pointer.lastIndexOf('/'))
      const found = errorsWith(pointer, renamed(misspelled))
      const errors = found.filter((error) => error.pointer === `${owner}/${misspelled}` || error.pointer === owner)
      expect({ pointer, found: errors.length > 0 }).toEqual({ pointer, found: true })
      if (key.length < 3) continue
      const suggested = errors.some((error) => error.hint === `Did you mean ${JSON.stringify(key)}?`)
      expect({ pointer, suggested }).toEqual({ pointer, suggested: true })
    }
  })

  test('every place has a position for its value, and for its key if it has one', () => {
    const { positions } = parseDefinition(text)
    for (const [pointer, value] of all) {
      const span = positions.value(pointer)
      expect(JSON.parse(text.slice(span?.start.offset, span?.end.offset))).toEqual(value)
      const key = pointerKeys(pointer).at(-1) ?? ''
      const keySpan = positions.key(pointer)
      if (keySpan !== undefined) expect(JSON.parse(text.slice(keySpan.start.offset, keySpan.end.offset))).toBe(key)
    }
  })
})

describe('what is required', () => {
  const required: readonly string[] = [
    '/document',
    '/document/dsl',
    '/document/namespace',
    '/document/name',
    '/document/version',
    '/do',
    '/timeout/after',
    '/use/catalogs/shared/endpoint',
    '/use/catalogs/shared/endpoint/uri',
    '/use/errors/outOfStock/type',
    '/use/errors/outOfStock/status',
    '/use/extensions/0/logging/extend',
    '/use/retries/patient/jitter/from',
    '/use/retries/patient/jitter/to',
    '/use/timeouts/short/after',
    '/use/authentications/basic/basic',
    '/use/authentications/basic/basic/username',
    '/use/authentications/basic/basic/password',
    '/use/authentications/bearer/bearer/token',
    '/use/authentications/digest/digest/username',
    '/use/authentications/digest/digest/password',
    '/use/authentications/oauth2/oauth2/authority',
    '/use/authentications/oauth2/oauth2/grant',
    '/use/authentications/oidc/oidc/authority',
    '/use/authentications/oidc/oidc/grant',
    '/use/authentications/oidc/oidc/subject/token',
    '/use/authentications/oidc/oidc/subject/type',
    '/do/0/http/with',
    '/do/0/http/with/method',
    '/do/0/http/with/endpoint',
    '/do/2/openapi/with/document',
    '/do/2/openapi/with/document/endpoint',
    '/do/2/openapi/with/operationId',
    '/do/3/grpc/with/proto',
    '/do/3/grpc/with/service',
    '/do/3/grpc/with/service/name',
    '/do/3/grpc/with/service/host',
    '/do/3/grpc/with/method',
    '/do/4/publishing/with/document',
    '/do/4/publishing/with/channel',
    '/do/4/publishing/with/message',
    '/do/4/publishing/with/server/name',
    '/do/5/subscribing/with/operation',
    '/do/5/subscribing/with/subscription',
    '/do/5/subscribing/with/subscription/consume',
    '/do/5/subscribing/with/subscription/consume/amount',
    '/do/8/a2a/with/method',
    '/do/9/mcp/with/method',
    '/do/9/mcp/with/transport',
    '/do/9/mcp/with/transport/http',
    '/do/9/mcp/with/transport/http/endpoint',
    '/do/9/mcp/with/client/name',
    '/do/9/mcp/with/client/version',
    '/do/10/mcpByProcess/with/transport/stdio/command',
    '/do/15/emitting/emit/event',
    '/do/15/emitting/emit/event/with',
    '/do/15/emitting/emit/event/with/source',
    '/do/15/emitting/emit/event/with/type',
    '/do/16/looping/for/in',
    '/do/16/looping/do',
    '/do/18/forking/fork/branches',
    '/do/19/listeningToOne/listen/to',
    '/do/19/listeningToOne/listen/to/one',
    '/do/19/listeningToOne/listen/to/one/with',
    '/do/19/listeningToOne/listen/to/one/correlate/order/from',
    '/do/25/raising/raise/error',
    '/do/25/raising/raise/error/type',
    '/do/25/raising/raise/error/status',
    '/do/27/runningContainer/run/container',
    '/do/27/runningContainer/run/container/image',
    '/do/27/runningContainer/run/container/lifetime/cleanup',
    '/do/27/runningContainer/run/container/lifetime/after',
    '/do/28/runningScript/run/script/language',
    '/do/28/runningScript/run/script/code',
    '/do/29/runningScriptFrom/run/script/source',
    '/do/30/runningShell/run/shell/command',
    '/do/31/runningWorkflow/run/workflow/namespace',
    '/do/31/runningWorkflow/run/workflow/name',
    '/do/31/runningWorkflow/run/workflow/version',
    '/do/35/switching/switch/0/large/then',
    '/do/36/trying/catch',
    '/do/36/trying/catch/retry/backoff/exponential',
  ]

  test.each(required)('%s is missed by us and by the official schema, or by the reference', (pointer) => {
    expect(places(document).some(([place]) => place === pointer)).toBe(true)
    const errors = errorsWith(pointer, without)
    const key = pointerKeys(pointer).at(-1) ?? ''
    const owner = pointer.slice(0, pointer.lastIndexOf('/'))
    expect(errors.map(({ code }) => code)).toContain('missing_property')
    const missing = errors.find(({ code }) => code === 'missing_property')
    expect(missing?.pointer).toBe(owner)
    expect(missing?.message).toContain(`"${key}"`)
    expect(missing?.hint).toContain(key)
  })

  test('no other property is required', () => {
    const missed = new Set<string>()
    for (const [pointer] of places(document)) {
      const key = pointerKeys(pointer).at(-1) ?? ''
      if (pointer === '' || /^\d+$/.test(key) || isNamed(pointer)) continue
      if (errorsWith(pointer, without).some(({ code }) => code === 'missing_property')) missed.add(key)
    }
    const listed = new Set(required.map((pointer) => pointerKeys(pointer).at(-1) ?? ''))
    // Schemes, strategies and the like: one of several has to be there.
    const alternatives = new Set([
      'bearer',
      'digest',
      'oauth2',
      'oidc',
      'use',
      'all',
      'any',
      'while',
      'until',
      'document',
      'resource',
      'constant',
      'linear',
      'stdio',
      'shell',
      'script',
      'workflow',
      'uri',
      // The credentials of a client depend on its method of authentication.
      'secret',
      'assertion',
    ])
    expect([...missed].filter((key) => !listed.has(key) && !alternatives.has(key))).toEqual([])
  })
})

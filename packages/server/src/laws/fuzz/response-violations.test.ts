import { expect, test } from 'vitest'
import type { ApiResponse } from '#laws/calls.ts'
import { curlLine } from './curl.ts'
import { descriptionOf } from './description.ts'
import { responseViolations } from './response-violations.ts'
import { createRandom } from './random.ts'
import { requestOf } from './requests.ts'
import type { FuzzFixture } from './fuzz-fixture.ts'

const problem = { content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } } }
const description = descriptionOf({
  paths: {
    '/things/{id}': {
      post: {
        operationId: 'things.change',
        security: [{ bearer: [] }],
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string', pattern: '^wf_[0-7].{25}$' } }],
        requestBody: {
          content: { 'application/json': { schema: { type: 'object', properties: { size: { type: 'integer' } }, required: ['size'] } } },
        },
        responses: {
          200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } } },
          400: problem,
          429: problem,
          503: problem,
        },
      },
    },
  },
  components: {
    schemas: {
      Thing: { type: 'object', required: ['size'], properties: { size: { type: 'integer' }, at: { type: 'string', format: 'date-time' } } },
      Problem: { type: 'object', required: ['code', 'status'] },
    },
  },
})
const [op] = description.operations

const requiredHeaders = {
  'x-request-id': 'r1',
  'ratelimit-limit': '1',
  'ratelimit-remaining': '1',
  'ratelimit-reset': '1',
  'ratelimit-policy': '1;w=1',
  'content-type': 'application/json; charset=utf-8',
}

function success(body: unknown, headers: Readonly<Record<string, string>> = {}): ApiResponse {
  return { status: 200, headers: new Headers({ ...requiredHeaders, ...headers }), body }
}

function refused(status: number, code: string, headers: Readonly<Record<string, string>> = {}): ApiResponse {
  const body = { type: 't', title: 't', status, detail: 'd', instance: '/things', code, requestId: 'r1' }
  return { status, headers: new Headers({ ...requiredHeaders, 'content-type': 'application/problem+json', ...headers }), body }
}

test('a response that agrees with the description has no violations', () => {
  expect(responseViolations(op, success({ size: 1, at: '2026-01-31T09:30:00Z' }))).toEqual([])
  expect(responseViolations(op, refused(400, 'request_invalid'))).toEqual([])
  expect(responseViolations(op, refused(503, 'overloaded', { 'retry-after': '1' }))).toEqual([])
})

test.each([
  ['an internal error', refused(500, 'internal'), ['status 500 is not declared', 'status 500']],
  ['a status that is not declared', refused(404, 'not_found'), ['status 404 is not declared']],
  ['a reply that lacks a member', success({}), ["reply must have required property 'size'"]],
  ['a reply with a wrong format', success({ size: 1, at: 'noon' }), ['reply/at must match format "date-time"']],
  ['a reply of another media type', success('x', { 'content-type': 'text/html' }), ['200 is not declared as text/html']],
  [
    'an error that is not a problem document',
    refused(400, 'x', { 'content-type': 'application/json' }),
    ['content-type', '400 is not declared as application/json'],
  ],
  ['a missing request id', success({ size: 1 }, { 'x-request-id': '' }), ['x-request-id']],
  ['a 429 without Retry-After', refused(429, 'rate_limited'), ['429 without Retry-After']],
  ['a 503 without a cause', refused(503, 'database_unavailable', { 'retry-after': '5' }), ['503 database_unavailable']],
])('%s is a violation', (_what, response, violations) => {
  expect(responseViolations(op, response)).toEqual(violations)
})

const fixture: FuzzFixture = {
  idOf: () => 'wf_01h455vb4pex5vsknk084sn02q',
  hasIds: () => true,
  exampleOf: () => undefined,
  approval: {},
  texts: {},
  cursors: ['c'],
  credentialOf: () => Promise.resolve(undefined),
  renewOwner: () => Promise.resolve(),
}

test('a random request depends only on its seed and number', () => {
  const made = (seed: number, index: number) => JSON.stringify(requestOf(op, description, fixture, createRandom(seed, index)))
  expect(made(1, 7)).toBe(made(1, 7))
  expect(new Set(Array.from({ length: 50 }, (_, index) => made(1, index))).size).toBeGreaterThan(25)
  expect(made(2, 7)).not.toBe(made(1, 7))
})

test('the curl command contains every byte of the request', () => {
  const body = Buffer.from(`{"a":"it's 100%\\u0000 ü"}\n`)
  const line = curlLine('http://h', { op, caller: 'owner', method: 'POST', target: '/x?y=1', headers: { 'x-a': `it's` }, body }, 'secret')
  expect(line).toBe(
    String.raw`printf '{"a":"it'\''s 100%%\\u0000 \303\274"}\012' | curl -i --path-as-is -X POST -H 'authorization: Bearer secret' -H 'x-a: it'\''s' --data-binary @- 'http://h/x?y=1'`,
  )
})

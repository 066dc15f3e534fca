/** What tests leave as it is in the operations that they declare. */
export const readBase = {
  id: 'test.read',
  method: 'GET',
  path: '/api/v1/test',
  summary: 'Read',
  stability: 'stable',
  auth: { scope: 'workflows:read' },
  rateLimit: 'default',
  audit: 'none',
  idempotency: 'natural',
  errors: [],
} as const

export const writeBase = {
  ...readBase,
  id: 'test.write',
  method: 'POST',
  summary: 'Write',
  auth: { scope: 'workflows:write' },
  audit: 'test.written',
  idempotency: 'keyed',
} as const

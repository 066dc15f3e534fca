import type { SchemaNode } from './json-schema.ts'

/** Header fields of responses, as `components.headers`. */
export const headerComponents = {
  'X-Request-ID': field(
    'The `X-Request-ID` of the request where it was 1 to 128 characters out of `[A-Za-z0-9._:-]`, otherwise a new one.',
    'string',
  ),
  'RateLimit-Limit': field('Requests that the nearest limit allows in its window.', 'integer'),
  'RateLimit-Remaining': field('Requests left in this window.', 'integer'),
  'RateLimit-Reset': field('Seconds until the window ends.', 'integer'),
  'RateLimit-Policy': field('All limits that apply, as `limit;w=seconds`.', 'string'),
  'Retry-After': field('Seconds to wait before the next attempt.', 'integer'),
  'WWW-Authenticate': field('How to authenticate (RFC 6750).', 'string'),
  'Idempotent-Replayed': field('`true` on a response that is returned again for its `Idempotency-Key`.', 'string'),
  'Accept-Ranges': field('`bytes`: a part of the file can be asked for by `Range`.', 'string'),
  'Content-Disposition': field('The name of the file.', 'string'),
  'Content-Range': field('Which bytes of how many these are, such as `bytes 1048576-2097151/2097152`.', 'string'),
  ETag: field('Revision of the resource, for `If-Match`.', 'string'),
  Location: field('Path of what was made.', 'string'),
  'Preference-Applied': field('The preference that was applied, such as `wait=10`.', 'string'),
} as const

export type HeaderName = keyof typeof headerComponents

const everywhere: readonly HeaderName[] = ['X-Request-ID', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset', 'RateLimit-Policy']

/** References to the header fields that every response has, and to `more`. */
export function headerReferences(more: readonly HeaderName[] = []): SchemaNode {
  return Object.fromEntries([...everywhere, ...more].map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

function field(description: string, type: 'string' | 'integer') {
  return { description, schema: { type } } as const
}

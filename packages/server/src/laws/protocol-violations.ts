import type { ApiResponse } from './calls.ts'

const headers: Readonly<Record<string, RegExp>> = {
  'x-request-id': /^[A-Za-z0-9._:-]{1,128}$/,
  'ratelimit-limit': /^\d+$/,
  'ratelimit-remaining': /^\d+$/,
  'ratelimit-reset': /^\d+$/,
  'ratelimit-policy': /^\d+;w=\d+/,
}

/** The names of headers and members that violate what every response must have; empty for a correct response. */
export function protocolViolations(response: ApiResponse): readonly string[] {
  const violations = Object.entries(headers).flatMap(([name, form]) => (form.test(response.headers.get(name) ?? '') ? [] : [name]))
  if (response.status >= 200 && response.status < 300)
    return response.status === 200 ? violations : [...violations, `status ${response.status}`]
  if (!response.headers.get('content-type')?.startsWith('application/problem+json')) violations.push('content-type')
  const problem: unknown = response.body
  if (typeof problem !== 'object' || problem === null) return [...violations, 'body']
  for (const name of ['type', 'title', 'detail', 'instance', 'code', 'requestId'])
    if (typeof Reflect.get(problem, name) !== 'string') violations.push(name)
  if (Reflect.get(problem, 'status') !== response.status) violations.push('status')
  if (Reflect.get(problem, 'requestId') !== response.headers.get('x-request-id')) violations.push('requestId')
  return violations
}

/** Status and code of a refusal, followed by its violations: `401 unauthenticated`. */
export function refusal(response: ApiResponse): string {
  const code: unknown = typeof response.body === 'object' && response.body !== null ? Reflect.get(response.body, 'code') : undefined
  return [String(response.status), typeof code === 'string' ? code : '(no code)', ...protocolViolations(response)].join(' ')
}

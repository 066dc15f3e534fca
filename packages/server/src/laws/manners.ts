import type { Answer } from './calls.ts'

const headers: Readonly<Record<string, RegExp>> = {
  'x-request-id': /^[A-Za-z0-9._:-]{1,128}$/,
  'ratelimit-limit': /^\d+$/,
  'ratelimit-remaining': /^\d+$/,
  'ratelimit-reset': /^\d+$/,
  'ratelimit-policy': /^\d+;w=\d+/,
}

/** What an answer lacks of what every answer has to have; nothing when it is as it must be. */
export function flawsOf(answer: Answer): readonly string[] {
  const flaws = Object.entries(headers).flatMap(([name, form]) => (form.test(answer.headers.get(name) ?? '') ? [] : [name]))
  if (answer.status >= 200 && answer.status < 300) return answer.status === 200 ? flaws : [...flaws, `status ${answer.status}`]
  if (!answer.headers.get('content-type')?.startsWith('application/problem+json')) flaws.push('content-type')
  const problem: unknown = answer.body
  if (typeof problem !== 'object' || problem === null) return [...flaws, 'body']
  for (const name of ['type', 'title', 'detail', 'instance', 'code', 'requestId'])
    if (typeof Reflect.get(problem, name) !== 'string') flaws.push(name)
  if (Reflect.get(problem, 'status') !== answer.status) flaws.push('status')
  if (Reflect.get(problem, 'requestId') !== answer.headers.get('x-request-id')) flaws.push('requestId')
  return flaws
}

/** Status and code of a refusal, with what it lacks: `401 unauthenticated`. */
export function refusal(answer: Answer): string {
  const code: unknown = typeof answer.body === 'object' && answer.body !== null ? Reflect.get(answer.body, 'code') : undefined
  return [String(answer.status), typeof code === 'string' ? code : '(no code)', ...flawsOf(answer)].join(' ')
}

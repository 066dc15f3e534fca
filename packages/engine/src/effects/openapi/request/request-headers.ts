import type { Json } from '#core/json.ts'
import { invalidArgument } from '#effects/http/http-call-error.ts'
import { checkHeaderValue, parseHeaders } from '#effects/http/headers.ts'
import { isJsonType, parseMediaType } from '#effects/http/media-type.ts'
import type { Operation } from '#effects/openapi/operation/operation.ts'
import type { Assignment } from './assign.ts'
import { headerText, queryPairs } from './serialize.ts'

/** The headers of a call but for its body's; names in lower case. Throws a validation error for what no header can carry. */
export function requestHeaders(
  operation: Operation,
  { values, accept }: Assignment,
  idempotencyKey: string,
): Readonly<Record<string, string>> {
  const written: [string, Json][] = []
  const cookies: string[] = []
  for (const [parameter, value] of values) {
    if (parameter.in === 'header') written.push([parameter.name, headerText(parameter, value)])
    else if (parameter.in === 'cookie') cookies.push(...queryPairs(parameter.name, parameter.serialization, value))
  }
  const given = new Map(
    [...parseHeaders(Object.fromEntries(written))].flatMap(([name, value]) => (value === null ? [] : [[name, value] as const])),
  )
  if (cookies.length > 0) {
    if (given.has('cookie')) throw invalidArgument('The call has both a "Cookie" header and cookie parameters; keep one.')
    given.set('cookie', cookies.join('; '))
  }
  return {
    accept: acceptedTypes(operation.produces),
    'user-agent': 'millrace',
    'idempotency-key': idempotencyKey,
    ...Object.fromEntries(given),
    ...(accept === undefined ? {} : { accept: checkHeaderValue('The parameter "Accept"', accept) }),
  }
}

/** JSON where it is offered, since that is what a workflow can read; everything else as well, since an error may be something else. */
function acceptedTypes(produces: readonly string[]): string {
  const types = produces.filter((type) => parseMediaType(type) !== undefined && /^[\x20-\x7e]*$/.test(type)).slice(0, 20)
  const json = types.filter((type) => isJsonType(parseMediaType(type)?.essence ?? ''))
  const preferred = [...new Set(json.length > 0 ? json : types)].filter((type) => !type.includes('*'))
  return preferred.length === 0 ? '*/*' : `${preferred.join(', ')}, */*;q=0.5`
}

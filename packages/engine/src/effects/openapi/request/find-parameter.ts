import { invalidArgument } from '#effects/http/http-call-error.ts'
import type { Parameter } from '#effects/openapi/operation/operation.ts'
import { quote } from '#effects/openapi/quote.ts'

/**
 * The parameter that a name means: by its own name, a header's in any case, or as `in.name`.
 *
 * Throws a validation error for a plain name that several parameters have: a value in the wrong place is worse than a failed call.
 */
export function findParameter(parameters: readonly Parameter[], name: string): Parameter | undefined {
  const same = parameters.filter((parameter) => parameter.name === name)
  if (same.length > 1) {
    const qualified = same.map((parameter) => quote(`${parameter.in}.${name}`)).join(' or ')
    throw invalidArgument(`The operation has several parameters ${quote(name)}; write ${qualified}.`)
  }
  return (
    same[0] ??
    parameters.find((parameter) => `${parameter.in}.${parameter.name}` === name) ??
    parameters.find((parameter) => parameter.in === 'header' && parameter.name.toLowerCase() === name.toLowerCase())
  )
}

/** Each parameter with the shortest name that means it and no other. */
export function namesOf(parameters: readonly Parameter[]): readonly (readonly [string, Parameter])[] {
  const uses = new Map<string, number>()
  for (const { name } of parameters) uses.set(name, (uses.get(name) ?? 0) + 1)
  return parameters.map(
    (parameter) => [uses.get(parameter.name) !== 1 ? `${parameter.in}.${parameter.name}` : parameter.name, parameter] as const,
  )
}

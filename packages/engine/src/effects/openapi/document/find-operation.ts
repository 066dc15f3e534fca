import { HttpCallError } from '#effects/http/http-call-error.ts'
import { didYouMean } from '#effects/openapi/did-you-mean.ts'
import { quote } from '#effects/openapi/quote.ts'
import type { OpenApiDocument, OperationPlace } from './document.ts'

/** The operation of that id; throws a configuration error when the document has none, or more than one. */
export function findOperation(document: OpenApiDocument, operationId: string): OperationPlace {
  const [place, second] = document.operations.get(operationId) ?? []
  if (place === undefined) throw new HttpCallError('configuration', unknownOperation(document, operationId))
  if (second === undefined) return place
  const both = [place, second].map(({ method, path }) => `${method} ${path}`).join(' and ')
  throw new HttpCallError('configuration', `The OpenAPI document calls both ${both} ${quote(operationId)}; an operationId must be unique.`)
}

function unknownOperation({ operations, unresolvedPaths }: OpenApiDocument, operationId: string): string {
  const unknown = `The OpenAPI document has no operation ${quote(operationId)}.`
  const [unresolved] = unresolvedPaths
  if (operations.size === 0 && unresolved === undefined) return `${unknown} None of its operations has an operationId.`
  const hint = didYouMean(operationId, operations.keys())
  if (hint !== '' || unresolved === undefined) return `${unknown}${hint}`
  return `${unknown} The path ${quote(unresolved)} cannot be read: it refers to another document, or to nothing.`
}

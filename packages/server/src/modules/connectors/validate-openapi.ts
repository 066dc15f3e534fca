import { stripVTControlCharacters } from 'node:util'
import type { InvalidPart } from '@millrace/contract'
import { compileErrors, validate } from '@readme/openapi-parser'
import type { ConnectorDocument } from './model.ts'

const errorsShown = 20

/** What is wrong with an OpenAPI document by the schema of the specification. It may take forever: references may multiply. */
export async function validateOpenApi(document: ConnectorDocument): Promise<InvalidPart[]> {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The parser validates it.
    const result = await validate(document as unknown as Parameters<typeof validate>[0])
    if (result.valid) return []
    const details = result.errors.length === 0 ? [compileErrors(result)] : result.errors.map(({ message }) => message)
    return details.slice(0, errorsShown).map((detail) => ({ pointer: '/document', detail: stripVTControlCharacters(detail).slice(0, 500) }))
  } catch (error) {
    return [{ pointer: '/document', detail: error instanceof Error ? error.message.slice(0, 500) : 'Cannot be read.' }]
  }
}

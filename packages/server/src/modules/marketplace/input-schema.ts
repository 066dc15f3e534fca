import { JsonValue } from '@millrace/contract'
import * as z from 'zod'

const withSchema = z.object({ input: z.object({ schema: z.object({ document: JsonValue }) }) })

/** The inline schema of the input in the JSON of a definition; null without one. */
export function definitionSchemaOf(json: string): JsonValue {
  const { data } = withSchema.safeParse(JSON.parse(json))
  return data?.input.schema.document ?? null
}

import { createHash } from 'node:crypto'
import type { JsonObject } from '@millrace/engine'
import { withoutConnection } from '#modules/connectors/index.ts'
import type { OfferedFunction } from './connector-tool.ts'

const namespace = 'millrace-mcp'

/** The workflow behind an offered function: one call, whose arguments are the input. Its schema is that of the function at this time. */
export function compileTool(
  name: string,
  connection: string | undefined,
  { summary, input }: OfferedFunction,
): { readonly definition: JsonObject; readonly digest: string } {
  const work = {
    // Clients choose no connection: it is that of the offer.
    input: { schema: { document: withoutConnection(input) } },
    do: [
      {
        call: {
          call: 'connector-call',
          with: { function: name, ...(connection === undefined ? {} : { connection }), arguments: '${ . }' },
        },
      },
    ],
  }
  const digest = createHash('sha256').update(JSON.stringify(work)).digest('hex').slice(0, 32)
  const document = { dsl: '1.0.3', namespace, name: `tool-${digest}`, version: '1.0.0', title: name, summary }
  return { definition: { document, ...work }, digest }
}

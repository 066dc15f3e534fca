import type { Converter } from '#src/import/n8n/converted.ts'
import { dataNodes } from './data.ts'
import { fileNodes } from './files.ts'
import { flowNodes } from './flow.ts'
import { httpRequest } from './http.ts'
import { sqlNodes } from './sql.ts'
import { textNodes } from './text.ts'

/** What converts the nodes of `n8n-nodes-base`, by their type. Apps and models are converted by tables of their own. */
export const converters: Readonly<Record<string, Converter>> = {
  ...flowNodes,
  ...dataNodes,
  ...textNodes,
  ...fileNodes,
  ...sqlNodes,
  httpRequest,
}

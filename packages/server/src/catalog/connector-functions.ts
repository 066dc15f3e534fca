import { readFileSync } from 'node:fs'
import type { FunctionManifest } from '@millrace/engine'

let read: readonly FunctionManifest[] | undefined

/** The functions of the connectors that come with Millrace, for tools without a server. `npm run generate` writes the file. */
export function connectorFunctions(): readonly FunctionManifest[] {
  return (read ??= readFileSync(new URL('connector-functions.jsonl', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Generated from manifests.
    .map((line) => JSON.parse(line) as FunctionManifest))
}

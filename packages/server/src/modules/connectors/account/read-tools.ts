import { randomUUID } from 'node:crypto'
import { type EffectCall, isObject, itemsOf, type Json, type JsonObject, membersOf, textOf, WorkflowError } from '@millrace/engine'
import type { ConnectorFunction } from '#modules/connectors/functions/function-names.ts'
import type { ReadSource } from './model.ts'
import { refused } from './read-source.ts'

/** Performs a call, with the connection that it names if there is one. */
export type CallMcp = (call: EffectCall) => Promise<Json>

const pagesMax = 20
const toolsMax = 500
const timeoutMs = 30_000

/** Reads the tools of an MCP server. Fault `connector_invalid` if it cannot be used. */
export async function readTools(
  call: CallMcp,
  {
    accountId,
    name,
    url,
    connection,
  }: { readonly accountId: string; readonly name: string; readonly url: string; readonly connection?: string | undefined },
): Promise<ReadSource> {
  const signal = AbortSignal.timeout(timeoutMs)
  const tools: JsonObject[] = []
  let cursor: Json | undefined
  for (let page = 0; page < pagesMax; page++) {
    const args = {
      url,
      method: 'tools/list',
      parameters: cursor === undefined ? {} : { cursor },
      ...(connection === undefined ? {} : { connection }),
    }
    const idempotencyKey = randomUUID()
    const reply = await call({ accountId, executionId: '', arguments: args, input: null, secrets: {}, idempotencyKey, signal }).catch(
      (error: unknown) => {
        if (error instanceof WorkflowError) throw refused('/url', `The MCP server cannot be used: ${error.data.detail ?? error.data.title}`)
        throw error
      },
    )
    const { tools: found, nextCursor } = membersOf(reply)
    tools.push(...itemsOf(found).flatMap((tool) => (isObject(tool) && typeof tool['name'] === 'string' ? [tool] : [])))
    cursor = nextCursor
    if (cursor === undefined || cursor === null || tools.length >= toolsMax) break
  }
  if (tools.length === 0) throw refused('/url', 'The MCP server has no tools.')
  const named = tools.slice(0, toolsMax).map((tool) => ({ ...tool, function: functionName(textOf(tool['name']) ?? '') }))
  return { title: name, version: '1.0.0', document: { url, tools: named }, functions: named.map(functionOf) }
}

function functionName(tool: string): string {
  const name = tool.replaceAll(/[^A-Za-z0-9_-]+/g, '-').slice(0, 100)
  return /^[A-Za-z]/.test(name) ? name : `call-${name}`.slice(0, 100)
}

function functionOf(tool: JsonObject): ConnectorFunction {
  const [name = '', path = ''] = [textOf(tool['function']), textOf(tool['name'])]
  const text = [textOf(tool['description']), textOf(tool['title'])].find((given) => given !== undefined && given !== '') ?? path
  return { name, summary: text.replaceAll(/\s+/g, ' ').slice(0, 300), method: 'tool', path }
}

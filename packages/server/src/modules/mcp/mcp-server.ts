import { Fault, operation } from '@millrace/contract'
import * as z from 'zod'
import { actorOf } from '#platform/auth/principal.ts'
import { servedExchange } from '#platform/http/exchange-route.ts'
import type { ServedGroup } from '#platform/http/index.ts'
import type { McpCaller } from './handlers.ts'
import type { McpPrompts } from './serve-prompts.ts'
import type { McpResources } from './serve-resources.ts'
import type { McpTools } from './serve-tools.ts'

/** No operation of the interface: its protocol is described elsewhere. */
const serve = operation({
  id: 'mcp.serve',
  method: 'POST',
  path: '/mcp',
  summary: 'Speak the Model Context Protocol',
  stability: 'beta',
  auth: { scope: 'executions:run' },
  rateLimit: 'default',
  audit: 'none',
  idempotency: 'natural',
  reply: z.unknown(),
  errors: [],
})

const instructions =
  'Each tool is a published workflow of a Millrace account, or a function of a service that it is connected to. Some need the approval of a person before they run; their result says how to get it. Resources are definitions of workflows, and executions. Prompts prepare a run of a workflow, and explain the last run that failed.'

/** Serves the Model Context Protocol over streamable HTTP, one request at a time, without sessions. */
export function servedMcp({
  tools,
  resources,
  prompts,
  version,
  publicUrl,
}: {
  readonly tools: McpTools
  readonly resources: McpResources
  readonly prompts: McpPrompts
  readonly version: string
  readonly publicUrl: string | undefined
}): ServedGroup {
  return servedExchange({
    op: serve,
    methods: ['GET', 'POST', 'DELETE'],
    publicUrl,
    metadataUrl: ({ protocol, host }) =>
      `${publicUrl === undefined ? `${protocol}://${host}` : new URL(publicUrl).origin}/.well-known/oauth-protected-resource/mcp`,
    async respond(ctx, request, { audit, countStart }) {
      // Loaded when it is used, since few installations need it.
      const { createMcpHandler, ProtocolError, ProtocolErrorCode, ResourceNotFoundError, Server } = await import(
        '@modelcontextprotocol/server'
      )
      const { accountId, userId, scopes } = ctx
      const caller: McpCaller = { accountId, userId, scopes, actor: actorOf(ctx.principal) }
      const handler = createMcpHandler(() => {
        const server = new Server({ name: 'millrace', version }, { capabilities: { tools: {}, resources: {}, prompts: {} }, instructions })
        server.setRequestHandler('tools/list', async () => ({ tools: await tools.list(accountId) }))
        server.setRequestHandler('tools/call', async ({ params }) => {
          const input = params.arguments === undefined ? {} : z.json().parse(params.arguments)
          return tools.call(caller, { name: params.name, input }, { signal: request.signal, audit, countStart })
        })
        server.setRequestHandler('resources/list', async () => ({ resources: await resources.list(caller, request.signal) }))
        server.setRequestHandler('resources/templates/list', async () => ({ resourceTemplates: resources.templates(caller) }))
        server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
          const found = await resources.read(caller, uri, request.signal)
          if (found === undefined) throw new ResourceNotFoundError(uri)
          return { contents: [{ ...found }] }
        })
        server.setRequestHandler('prompts/list', async () => ({ prompts: await prompts.list(caller) }))
        server.setRequestHandler('prompts/get', async ({ params: { name, arguments: given = {} } }) =>
          prompts.get(caller, { name, given }, request.signal).catch((error: unknown) => {
            throw error instanceof Fault ? new ProtocolError(ProtocolErrorCode.InvalidParams, error.message) : error
          }),
        )
        return server
      })
      return handler.fetch(request)
    },
  })
}

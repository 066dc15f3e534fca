import type { mcp, Scope } from '@millrace/contract'
import { actorOf } from '#platform/auth/principal.ts'
import { type HandlersFor, withPreparation } from '#platform/http/index.ts'
import { toTypeId } from '#platform/ids.ts'
import type { ConnectorTool } from './connector-tools/connector-tool.ts'
import type { ConnectorTools } from './connector-tools/connector-tool-service.ts'
import type { createMcpChat } from './mcp-chat.ts'

/** The caller as the confirmation of a proposal needs it. */
export interface McpCaller {
  readonly accountId: string
  readonly userId: string
  readonly scopes: ReadonlySet<Scope>
  /** As `kind:id`. */
  readonly actor: string
}

/** Handlers of the group `mcp`. */
export function mcpHandlers(chat: ReturnType<typeof createMcpChat<McpCaller>>, connectorTools: ConnectorTools): HandlersFor<typeof mcp> {
  return {
    async chat(ctx, { body: { message, history } }) {
      const { accountId, userId, scopes } = ctx
      const caller = { accountId, userId, scopes, actor: actorOf(ctx.principal) }
      const messages = [...history, { role: 'user' as const, text: message }]
      const { text, tools, proposals } = await ctx.whileConnected((signal) => chat(caller, messages, signal))
      ctx.audit({ details: { proposals: proposals.map(({ id }) => id) } })
      return { text, tools, proposals: proposals.map(({ workflowId, ...rest }) => ({ ...rest, workflowId: toTypeId('wf', workflowId) })) }
    },
    async tools(ctx) {
      return { data: (await connectorTools.list(ctx.tx, ctx.accountId)).map(toolView) }
    },
    offerTool: withPreparation(
      (ctx, { params, body: { connection, permission } }) =>
        connectorTools.prepare(ctx.accountId, { name: params.name, connection, permission }),
      async (ctx, _input, offer) => {
        const { name, connection, permission } = offer
        const tool = await connectorTools.offer(ctx.tx, ctx.accountId, offer, actorOf(ctx.principal))
        ctx.audit({ target: name, details: { permission, ...(connection === undefined ? {} : { connection }) } })
        return toolView(tool)
      },
    ),
    async withdrawTool(ctx, { params: { name } }) {
      await connectorTools.withdraw(ctx.tx, ctx.accountId, name, actorOf(ctx.principal))
      ctx.audit({ target: name })
      return { name, withdrawn: true }
    },
  }
}

function toolView({ function: name, summary, connection, permission, updatedAt, updatedBy }: ConnectorTool) {
  return { name, summary, connection: connection ?? null, permission, updatedAt: updatedAt.toISOString(), updatedBy }
}

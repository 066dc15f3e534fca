import type { mcp, Scope } from '@millrace/contract'
import { actorOf } from '#platform/auth/principal.ts'
import type { HandlersFor } from '#platform/http/index.ts'
import { toTypeId } from '#platform/ids.ts'
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
export function mcpHandlers(chat: ReturnType<typeof createMcpChat<McpCaller>>): HandlersFor<typeof mcp> {
  return {
    async chat(ctx, { body: { message, history } }) {
      const { accountId, userId, scopes } = ctx
      const caller = { accountId, userId, scopes, actor: actorOf(ctx.principal) }
      const messages = [...history, { role: 'user' as const, text: message }]
      const { text, tools, proposals } = await ctx.whileConnected((signal) => chat(caller, messages, signal))
      ctx.audit({ details: { proposals: proposals.map(({ id }) => id) } })
      return { text, tools, proposals: proposals.map(({ workflowId, ...rest }) => ({ ...rest, workflowId: toTypeId('wf', workflowId) })) }
    },
  }
}

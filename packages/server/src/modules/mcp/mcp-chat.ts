import type { JsonValue } from '@millrace/contract'
import { type ModelMessage, type Models, readJsonText } from '#modules/models/index.ts'
import type { WorkflowTool } from './workflow-tools.ts'

/** A run of a workflow that waits for the confirmation of its user. */
export interface ProposedRun {
  /** In its external form. */
  readonly id: string
  readonly digest: string
  readonly expiresAt: string
}

export interface McpChatDeps<Caller> {
  readonly models: Pick<Models, 'assertRole' | 'complete'>
  readonly toolsOf: (accountId: string) => Promise<readonly WorkflowTool[]>
  readonly propose: (caller: Caller, tool: WorkflowTool, input: JsonValue) => Promise<ProposedRun>
}

const proposalsMax = 5

const instructions = `You help a user of Millrace to run workflows, which are your tools. Choose a tool only when the user asks for what it does, and take its arguments
from the user's words. A chosen tool is shown to the user, who confirms it before it runs. Say briefly what you chose and why, or ask for what is missing.`

/** A conversation with a model that has the published workflows as tools. Faults: `model_not_configured`, `model_unavailable`. */
export function createMcpChat<Caller extends { readonly accountId: string }>({ models, toolsOf, propose }: McpChatDeps<Caller>) {
  return async (caller: Caller, messages: readonly ModelMessage[], signal: AbortSignal) => {
    const { accountId } = caller
    await models.assertRole(accountId, 'strong')
    const tools = await toolsOf(accountId)
    const prompt: readonly ModelMessage[] = [{ role: 'system', text: instructions }, ...messages]
    const { text, toolCalls } = await models.complete({ accountId, role: 'strong', messages: prompt, tools, signal })
    const proposals = []
    for (const call of toolCalls.slice(0, proposalsMax)) {
      const tool = tools.find(({ name }) => name === call.name)
      if (tool === undefined) continue
      const input = readJsonText(call.arguments) ?? {}
      proposals.push({ tool: tool.name, workflowId: tool.workflowId, input, ...(await propose(caller, tool, input)) })
    }
    return { text, tools: tools.map(({ name }) => name), proposals }
  }
}

import * as z from 'zod'
import { typeId } from '#src/ids.ts'
import { JsonValue } from '#src/json.ts'
import { operation } from '#src/operation.ts'

const Text = z.string().trim().min(1).max(20_000)

const chat = operation({
  id: 'mcp.chat',
  method: 'POST',
  path: '/mcp/chat',
  summary: 'Talk to a model that has the published workflows as tools',
  description:
    'Needs the consent of the account to transfers outside the region (403 `consent_required`; see `account/consents/cross-border`), because the message goes to a configured model. The model chooses among the published workflows, at most 50, by their input schemas. A chosen tool is not run: it becomes a proposal of the assistant, which you confirm by `assistant/agent/confirm`. Nothing is kept of the conversation; send `history` to continue it.',
  stability: 'beta',
  auth: { scope: 'assistant:use' },
  rateLimit: 'execution',
  consent: 'cross-border',
  audit: 'mcp.chatted',
  idempotency: 'keyed',
  transaction: 'own',
  body: z.strictObject({
    message: Text,
    history: z
      .array(z.strictObject({ role: z.enum(['user', 'assistant']), text: Text }))
      .max(30)
      .default([])
      .describe('Earlier messages, oldest first.'),
  }),
  reply: z.object({
    text: z.string(),
    tools: z.array(z.string()).describe('Tools that the model could choose.'),
    proposals: z.array(
      z.object({
        id: typeId('prop'),
        tool: z.string(),
        workflowId: typeId('wf'),
        input: JsonValue,
        digest: z.string().describe('To be repeated by the confirmation.'),
        expiresAt: z.iso.datetime(),
      }),
    ),
  }),
  errors: ['not_found', 'model_not_configured', 'model_unavailable', 'quota_exceeded', 'conflict'],
})

/** Conversations in which workflows are tools. */
export const mcp = { chat } as const

import * as z from 'zod'
import { typeId } from '#src/ids.ts'
import { JsonValue } from '#src/json.ts'
import { listPage, listQuery } from '#src/list.ts'
import { operation } from '#src/operation.ts'
import { executions } from './executions.ts'
import { Schedule, TriggerName } from './trigger-schemas.ts'

const Address = z.email().max(320)

const emailContent = {
  to: z.array(Address).min(1).max(10),
  subject: z.string().trim().min(1).max(300),
  body: z.string().min(1).max(20_000).describe('Plain text; an empty line separates paragraphs.'),
} as const

/** What the assistant can propose. */
export const AssistantAction = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('workflow.run'), workflowId: typeId('wf'), input: JsonValue.optional() }),
    z.strictObject({ kind: z.literal('execution.cancel'), executionId: typeId('exec') }),
    z.strictObject({ kind: z.literal('execution.retry'), executionId: typeId('exec') }),
    z.strictObject({
      kind: z.literal('schedule.create'),
      workflowId: typeId('wf'),
      name: TriggerName,
      schedule: Schedule,
      input: JsonValue.optional(),
    }),
    z.strictObject({ kind: z.literal('email.draft'), ...emailContent }),
  ])
  .meta({
    id: 'AssistantAction',
    examples: [{ kind: 'workflow.run', workflowId: 'wf_01h455vb4pex5vsknk084sn02q', input: { name: 'Ada' } }],
  })

const Proposal = z
  .object({
    id: typeId('prop'),
    kind: z.enum(['workflow.run', 'execution.cancel', 'execution.retry', 'schedule.create']),
    summary: z.string().describe('The action in words.'),
    action: JsonValue.describe('Exactly what a confirmation does.'),
    digest: z.string().describe('SHA-256 of the action, in hexadecimal. A confirmation repeats it.'),
    state: z
      .enum(['pending', 'confirmed', 'done', 'failed', 'rejected', 'expired'])
      .describe('`confirmed`: the action has begun; confirm again to learn its result.'),
    result: JsonValue.nullable().describe('Ids of what the action made.'),
    reason: z.string().nullable().describe('Why it was rejected, or why it failed.'),
    conversationId: typeId('conv').nullable(),
    createdAt: z.iso.datetime(),
    expiresAt: z.iso.datetime().describe('An hour after its creation.'),
    decidedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'AssistantProposal' })

const EmailDraft = z
  .object({
    id: typeId('draft'),
    to: z.array(z.string()),
    subject: z.string(),
    body: z.string(),
    digest: z.string().describe('SHA-256 of the content, in hexadecimal.'),
    state: z.enum(['draft', 'sent', 'rejected']).describe('`sent`: handed to the mailer.'),
    reason: z.string().nullable().describe('Why it was rejected.'),
    conversationId: typeId('conv').nullable(),
    createdAt: z.iso.datetime(),
    decidedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'AssistantEmailDraft' })

const Message = z
  .object({
    id: typeId('msg'),
    role: z.enum(['user', 'assistant']),
    text: z.string(),
    proposals: z.array(typeId('prop')).describe('What the message proposes.'),
    drafts: z.array(typeId('draft')).describe('E-mails that the message drafts.'),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'AssistantMessage' })

const Conversation = z
  .object({ id: typeId('conv'), title: z.string(), createdAt: z.iso.datetime(), updatedAt: z.iso.datetime() })
  .meta({ id: 'AssistantConversation' })

const base = { stability: 'beta', rateLimit: 'default', errors: [] } as const
const reads = { ...base, auth: { scope: 'assistant:use' }, audit: 'none', idempotency: 'natural' } as const
const asks = { ...base, auth: { scope: 'assistant:use' }, rateLimit: 'execution', idempotency: 'keyed', transaction: 'own' } as const
const decides = { ...base, auth: { scope: 'assistant:confirm' }, method: 'POST' } as const
const path = '/api/v1/assistant'
const modelErrors = ['consent_required', 'model_not_configured', 'model_unavailable', 'quota_exceeded', 'not_found', 'conflict'] as const
const Text = z.string().trim().min(1).max(20_000)
const Reason = z.string().trim().min(1).max(1_000)
const Confirmation = z.strictObject({
  proposalId: typeId('prop'),
  digest: z
    .string()
    .length(64)
    .meta({
      description: '`digest` of the proposal as it was shown.',
      examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
    }),
})
const found = { proposals: z.array(Proposal), drafts: z.array(EmailDraft) } as const

const chat = operation({
  ...asks,
  id: 'assistant.chat',
  method: 'POST',
  path: `${path}/chat`,
  summary: 'Talk to the assistant',
  description:
    'It reads workflows, executions and triggers with your rights, and proposes actions, which a person confirms. With `Accept: text/event-stream` and without `Idempotency-Key` the response is a stream: `text` with pieces, `tool` with the name of what it reads, `message` with the same as the JSON response, or `error` with a problem. Conversations are visible to their user only.',
  audit: 'assistant.asked',
  body: z.strictObject({ message: Text, conversationId: typeId('conv').optional().describe('A new conversation unless given.') }),
  reply: z.object({ conversationId: typeId('conv'), message: Message, ...found }),
  errors: modelErrors,
})

const messages = operation({
  ...asks,
  rateLimit: 'default',
  transaction: 'request',
  id: 'assistant.messages',
  method: 'POST',
  path: `${path}/messages`,
  summary: 'Add a message to a conversation without asking',
  description: 'Keeps the message in the conversation; no model sees it before the next `chat`.',
  audit: 'assistant.message_added',
  body: z.strictObject({ message: Text, conversationId: typeId('conv').optional().describe('A new conversation unless given.') }),
  reply: z.object({ conversationId: typeId('conv'), message: Message }),
  errors: ['not_found', 'conflict'],
})

const conversations = operation({
  ...reads,
  id: 'assistant.conversations',
  method: 'GET',
  path: `${path}/conversations`,
  summary: 'List the own conversations',
  query: z.strictObject(listQuery),
  reply: listPage(Conversation),
})

const conversation = operation({
  ...reads,
  id: 'assistant.conversation',
  method: 'GET',
  path: `${path}/conversations/{id}`,
  summary: 'Read a conversation',
  description: 'With its last 100 messages, oldest first.',
  params: z.object({ id: typeId('conv') }),
  reply: Conversation.extend({ messages: z.array(Message) }),
})

const remove = operation({
  ...reads,
  id: 'assistant.deleteConversation',
  method: 'DELETE',
  path: `${path}/conversations/{id}`,
  summary: 'Delete a conversation with its messages',
  description: 'Proposals and e-mail drafts of the conversation stay.',
  audit: 'assistant.conversation_deleted',
  params: z.object({ id: typeId('conv') }),
  reply: z.object({ id: typeId('conv'), deleted: z.literal(true) }),
})

const run = operation({
  ...asks,
  id: 'assistant.run',
  method: 'POST',
  path: `${path}/agent/run`,
  summary: 'Prepare actions for a goal',
  description:
    'With `goal`, a model chooses the actions; with `action` they are given and no model is needed. Nothing is done yet: the response has proposals to confirm or reject within an hour, and e-mail drafts to approve. You need the right to do what is proposed.',
  audit: 'assistant.proposed',
  body: z.strictObject({ goal: Text.optional(), action: AssistantAction.optional() }),
  reply: z.object({ text: z.string().nullable().describe('What the model says to it.'), ...found }),
  errors: [...modelErrors, 'schedule_invalid'],
})

const confirm = operation({
  ...decides,
  id: 'assistant.confirm',
  path: `${path}/agent/confirm`,
  summary: 'Confirm a proposal',
  description:
    'Does exactly what was shown, once, with your rights of this moment: `digest` must be that of the proposal. Repeating it returns the same result. Schedules are confirmed by `schedule/confirm`.',
  audit: 'assistant.confirmed',
  idempotency: 'keyed',
  transaction: 'own',
  body: Confirmation,
  reply: Proposal,
  errors: [
    ...new Set([
      ...executions.retry.errors,
      ...executions.start.errors,
      ...executions.cancel.errors,
      'not_found' as const,
      'conflict' as const,
      'insufficient_scope' as const,
    ]),
  ],
})

const reject = operation({
  ...decides,
  id: 'assistant.reject',
  path: `${path}/agent/reject`,
  summary: 'Reject a proposal',
  audit: 'assistant.rejected',
  idempotency: 'keyed',
  body: z.strictObject({ proposalId: typeId('prop'), reason: Reason.optional() }),
  reply: Proposal,
  errors: ['not_found', 'conflict'],
})

const confirmSchedule = operation({
  ...decides,
  id: 'assistant.confirmSchedule',
  path: `${path}/schedule/confirm`,
  summary: 'Confirm a proposed schedule',
  description: 'Creates the trigger and marks the proposal as done, both or neither.',
  audit: 'assistant.schedule_confirmed',
  idempotency: 'keyed',
  body: Confirmation,
  reply: z.object({ proposal: Proposal, triggerId: typeId('trg') }),
  errors: ['not_found', 'conflict', 'schedule_invalid', 'insufficient_scope'],
})

const proposals = operation({
  ...reads,
  id: 'assistant.proposals',
  method: 'GET',
  path: `${path}/proposals`,
  summary: 'List the own proposals',
  description: 'Newest first.',
  query: z.strictObject({ ...listQuery, conversationId: typeId('conv').optional().describe('Only those of this conversation.') }),
  reply: listPage(Proposal),
})

const drafts = operation({
  ...reads,
  id: 'assistant.drafts',
  method: 'GET',
  path: `${path}/email/drafts`,
  summary: 'List the own e-mail drafts',
  query: z.strictObject({ ...listQuery, state: EmailDraft.shape.state.optional() }),
  reply: listPage(EmailDraft),
})

const byDraft = z.object({ id: typeId('draft') })

const approveDraft = operation({
  ...decides,
  id: 'assistant.approveDraft',
  path: `${path}/email/drafts/{id}/approve`,
  role: 'member',
  summary: 'Send an e-mail draft',
  description: 'Hands it to the mailer exactly once, one mail to each recipient. A draft never changes after it was shown.',
  audit: 'assistant.email_approved',
  idempotency: 'keyed',
  params: byDraft,
  body: z.strictObject({ digest: z.string().length(64).optional().describe('`digest` of the draft as it was shown, to be sure.') }),
  reply: EmailDraft,
  errors: ['conflict', 'mail_unavailable'],
})

const rejectDraft = operation({
  ...decides,
  id: 'assistant.rejectDraft',
  path: `${path}/email/drafts/{id}/reject`,
  summary: 'Reject an e-mail draft',
  audit: 'assistant.email_rejected',
  idempotency: 'keyed',
  params: byDraft,
  body: z.strictObject({ reason: Reason }),
  reply: EmailDraft,
  errors: ['conflict'],
})

/** An assistant that reads with the rights of its user, and proposes what a person confirms. */
export const assistant = {
  chat,
  messages,
  conversations,
  conversation,
  deleteConversation: remove,
  run,
  confirm,
  reject,
  confirmSchedule,
  proposals,
  drafts,
  approveDraft,
  rejectDraft,
} as const

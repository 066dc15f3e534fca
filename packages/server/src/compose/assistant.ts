import { assistant } from '@millrace/contract'
import { createReaders, type Readers } from '#modules/account-reads/index.ts'
import { assistantHandlers, createChats, createProposals, createTools, type Proposals, purgeAssistant } from '#modules/assistant/index.ts'
import type { Executions } from '#modules/executions/index.ts'
import type { Models } from '#modules/models/index.ts'
import { createTriggers } from '#modules/triggers/index.ts'
import type { Workflows } from '#modules/workflows/index.ts'
import { createSecretBox } from '#platform/auth/secret-box.ts'
import { served } from '#platform/http/index.ts'
import type { Feature, FeatureParts } from './feature.ts'

export interface AssistantParts extends Pick<FeatureParts, 'database' | 'mail' | 'system' | 'secretKey' | 'eventStreams'> {
  readonly workflows: Workflows
  readonly executions: Executions
  readonly models: Models
}

const everyTrigger = { workflowId: undefined, kind: undefined, enabled: undefined, before: undefined }

/** The assistant: conversations, proposals and e-mail drafts. */
export function composeAssistant(parts: AssistantParts): Feature & { readonly proposals: Proposals; readonly readers: Readers } {
  const { database, mail, workflows, executions, models } = parts
  const { now, newId, randomBytes } = parts.system
  const box = createSecretBox(parts.secretKey, 'triggers', randomBytes)
  const { assertFutureInput: assertInput } = executions
  const triggers = createTriggers({ now, newId, randomBytes, box, assertWorkflow: workflows.assertKnown, assertInput })
  const proposals = createProposals({ database, workflows, executions, triggers, mail, now, newId })
  const readers = createReaders({
    database,
    workflows,
    executions,
    listTriggers: (accountId, limit) => database.account(accountId, (tx) => triggers.list(tx, accountId, { ...everyTrigger, limit })),
  })
  const tools = createTools({ readers, proposals })
  const chats = createChats({ database, models, tools, now, newId })
  return {
    proposals,
    readers,
    groups: { assistant: served(assistant, assistantHandlers({ chats, proposals, mail, now, eventStreams: parts.eventStreams })) },
    purge: purgeAssistant,
  }
}

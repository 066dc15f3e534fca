/** What a scope allows, and whether an API key can be given it. Sessions have every scope of their user's role. */
interface ScopeRow {
  readonly description: string
  /** False: only a signed-in person can do this; no key can be issued with it. */
  readonly grantable: boolean
}

/** The one list of scopes. */
export const scopeCatalogue = {
  'account:read': { description: 'Read the own user and account.', grantable: true },
  'account:security': { description: 'Manage sessions, credentials and the own user.', grantable: false },
  'sign-in:finish': {
    description: 'Finish a sign-in that waits for a second factor, with its challenge as the credential.',
    grantable: false,
  },
  'api-keys:manage': { description: 'List, issue, rotate and revoke API keys.', grantable: false },
  'workflows:read': { description: 'Read, list and export workflows.', grantable: true },
  'workflows:write': { description: 'Create, change, publish, import and delete workflows.', grantable: true },
  'executions:read': { description: 'Read executions with their timelines, inputs and outputs.', grantable: true },
  'executions:run': { description: 'Start executions.', grantable: true },
  'executions:control': { description: 'Cancel, suspend, resume and retry executions.', grantable: true },
  'triggers:read': { description: 'Read triggers and chains, their deliveries and runs.', grantable: true },
  'triggers:write': { description: 'Create, change and delete triggers and chains.', grantable: true },
  'agents:read': { description: 'Read agent runs, and the state of the local model runtime.', grantable: true },
  'agents:run': { description: 'Run agents and transcribe speech.', grantable: true },
  'approvals:read': { description: 'Read approvals with their answers.', grantable: true },
  'approvals:decide': { description: 'Approve and reject.', grantable: false },
  'events:read': { description: 'Read events and subscriptions.', grantable: true },
  'events:write': { description: 'Publish events.', grantable: true },
  'events:subscribe': { description: 'Manage subscriptions to events.', grantable: true },
  'queue:read': { description: 'Read dead letters with their payloads.', grantable: true },
  'queue:write': { description: 'Replay dead letters.', grantable: true },
  'notifications:read': { description: 'Read the own notifications and their preferences.', grantable: true },
  'notifications:write': { description: 'Mark own notifications as read and change their preferences.', grantable: false },
  'variables:read': { description: 'List variables, and secrets without their values.', grantable: true },
  'variables:write': { description: 'Create, change and delete variables and secrets.', grantable: true },
  'variables:reveal': { description: 'Read the values of secrets.', grantable: false },
  'files:read': { description: 'List and download files of the account.', grantable: true },
  'files:write': { description: 'Upload and delete files of the account.', grantable: true },
  'tables:read': { description: 'List tables and read their rows.', grantable: true },
  'tables:write': { description: 'Create and delete tables, and write and delete their rows.', grantable: true },
  'readiness:read': { description: 'Read the own assessments of digital readiness.', grantable: true },
  'einvoice:write': { description: 'Generate and sign e-invoices.', grantable: true },
  'leads:read': { description: 'Read and export leads (operators).', grantable: true },
  'privacy:use': { description: 'Find and redact personal data in texts.', grantable: true },
  'privacy:read': { description: 'Read decisions about personal data, figures and policies.', grantable: true },
  'privacy:write': { description: 'Set privacy policies.', grantable: false },
  'account:write': { description: 'Change the settings and consents of the account, and export its data.', grantable: false },
  'marketplace:write': { description: 'Publish, rate and report entries of the marketplace.', grantable: true },
  'connectors:read': { description: 'List connectors and proposed connectors.', grantable: true },
  'connectors:write': { description: 'Propose connectors.', grantable: true },
  'connections:read': { description: 'List connections, without their secrets.', grantable: true },
  'connections:write': { description: 'Create, change, test and delete connections.', grantable: true },
  'models:read': { description: 'List the models of the account, without their keys.', grantable: true },
  'models:write': { description: 'Add, change, test and delete models of the account.', grantable: false },
  'audit:read': { description: 'Read and verify the audit log of the account.', grantable: true },
  'billing:read': { description: 'Read the subscription, usage and invoices of the account, and its referrals.', grantable: true },
  'billing:manage': { description: 'Buy, change and cancel the plan of the account, and create referral codes.', grantable: false },
  'assistant:use': { description: 'Talk to the assistant, and read and prepare its proposals.', grantable: true },
  'assistant:confirm': { description: 'Confirm and reject what the assistant proposes.', grantable: false },
  'capture:read': { description: 'Read capture sessions with their events.', grantable: true },
  'capture:write': { description: 'Start capture sessions and send events.', grantable: true },
  'health:read': { description: 'Read the health of the parts of the installation.', grantable: true },
  'system:write': { description: 'Try the parts of the installation (operators).', grantable: false },
  'system:read': { description: 'Read the state of the whole installation (operators).', grantable: true },
} as const satisfies Record<string, ScopeRow>

export type Scope = keyof typeof scopeCatalogue

export function isScope(text: string): text is Scope {
  return Object.hasOwn(scopeCatalogue, text)
}

export const scopes: readonly Scope[] = Object.keys(scopeCatalogue).filter(isScope)

/** Scopes that an API key may carry which is limited to chosen workflows: those of the operations with `workflowKeys`. */
export const workflowKeyScopes = [
  'workflows:read',
  'executions:read',
  'executions:run',
  'executions:control',
] as const satisfies readonly Scope[]

/** Scopes that an API key may carry. */
export const grantableScopes: readonly Scope[] = scopes.filter((scope) => scopeCatalogue[scope].grantable)

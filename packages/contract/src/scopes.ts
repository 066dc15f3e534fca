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
  'api-keys:manage': { description: 'List, issue, rotate and revoke API keys.', grantable: false },
  'workflows:read': { description: 'Read, list and export workflows.', grantable: true },
  'workflows:write': { description: 'Create, change, publish, import and delete workflows.', grantable: true },
  'executions:read': { description: 'Read executions with their timelines, inputs and outputs.', grantable: true },
  'executions:run': { description: 'Start executions.', grantable: true },
  'executions:control': { description: 'Cancel, suspend, resume and retry executions.', grantable: true },
  'approvals:read': { description: 'Read approvals with their answers.', grantable: true },
  'approvals:decide': { description: 'Approve and reject.', grantable: false },
  'events:read': { description: 'Read events and subscriptions.', grantable: true },
  'events:write': { description: 'Publish events.', grantable: true },
  'events:subscribe': { description: 'Manage subscriptions to events.', grantable: true },
  'queue:read': { description: 'Read dead letters with their payloads.', grantable: true },
  'queue:write': { description: 'Replay dead letters.', grantable: true },
  'health:read': { description: 'Read the health of the parts of the installation.', grantable: true },
  'system:read': { description: 'Read the state of the whole installation (operators).', grantable: true },
} as const satisfies Record<string, ScopeRow>

export type Scope = keyof typeof scopeCatalogue

export function isScope(text: string): text is Scope {
  return Object.hasOwn(scopeCatalogue, text)
}

export const scopes: readonly Scope[] = Object.keys(scopeCatalogue).filter(isScope)

/** Scopes that an API key may carry. */
export const grantableScopes: readonly Scope[] = scopes.filter((scope) => scopeCatalogue[scope].grantable)

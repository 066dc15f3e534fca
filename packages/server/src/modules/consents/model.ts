import type { PersonalDataKind } from '@millrace/contract'

export type ConsentKind = 'cross-border' | 'privacy-preferences'
export type ConsentState = 'given' | 'withdrawn' | 'replaced' | 'expired'
type Choice = 'allow' | 'redact' | 'refuse'

/** What was consented to. */
export interface ConsentTerms {
  readonly purposes: readonly string[]
  readonly categories: readonly string[]
  readonly recipients: readonly string[]
  /** Country codes; empty: every region. */
  readonly regions: readonly string[]
}

export interface Consent {
  readonly id: string
  readonly kind: ConsentKind
  readonly state: ConsentState
  readonly terms: ConsentTerms
  readonly events: readonly { readonly state: ConsentState; readonly at: string; readonly by: string }[]
  readonly expiresAt: Date | undefined
}

export interface Preferences {
  readonly models: Choice
  readonly connectors: Choice
  readonly webhooks: Choice
  readonly mail: Choice
  readonly refusedKinds: readonly PersonalDataKind[]
  readonly decisionLogDays: number
}

/** Without a decision of the account, prompts are redacted. */
export const preferencesDefault: Preferences = {
  models: 'redact',
  connectors: 'allow',
  webhooks: 'allow',
  mail: 'allow',
  refusedKinds: [],
  decisionLogDays: 365,
}

/** The state at a time: a consent expires without a row being written. */
export function stateAt({ state, expiresAt }: Consent, now: number): ConsentState {
  return state === 'given' && expiresAt !== undefined && expiresAt.getTime() <= now ? 'expired' : state
}

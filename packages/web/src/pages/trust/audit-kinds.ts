import type { Words } from '#src/pages/trust/sentence-of.ts'

/** What was done, as a reader chooses it: the events of each kind, by how they begin. Changes are all but reads, exports, sign-ins and runs. */
export const auditKinds: Readonly<Record<keyof Words['kinds'], string>> = {
  changes:
    '!execution.*,!session.*,!auth.*,!audit.*,!archivist.*,!ai.*,!file.opened,!file.downloaded,!trigger.fired,!trigger.listening,!chain.run,!approval.*,!variable.revealed,!model.call_read,!model.tested,!connection.tested,!account.export_*,!privacy.report_*,!privacy.person_searched,!workflow.tested',
  approvals: 'approval.*',
  runs: 'execution.*,trigger.fired,trigger.replayed,dead_letter.*,chain.run',
  workflows: 'workflow.*,trigger.*,chain.*,git.*,marketplace.*,capture.*',
  signIns: 'session.*,auth.*,mfa.*,passkey.*,phone.*,identity.*,user.password_changed,user.password_reset,user.email_verified',
  people: 'user.*,invitation.*,scim.*,account.ownership_transferred',
  access: 'api_key.*,oauth.*,connection.*,connector.*,variable.*,event_subscription.*,mcp.*',
  account: 'account.*,account_domain.*,sign_in_provider.*,scim.*,model.*',
  privacy: 'privacy.*,execution.erased,account.consent_given,account.consent_withdrawn,account.privacy_preferences_set',
  evidence: 'audit.*,audit_destination.*,archivist.*,account.export_requested,account.export_downloaded',
  data: 'file.*,table.*',
  ai: 'agent.*,ai.*,assistant.*,mcp.*,model.*',
  money: 'subscription.*,invoice.*,checkout.*,einvoice.*,plan.*,referral.*',
}

interface AskedEvents {
  readonly kind?: string | undefined
  readonly event?: string | undefined
}

/** The event of a search: that of its kind, or one of the address by how it begins. */
export function eventOf({ kind = '', event }: AskedEvents): { readonly event?: string } {
  const kinds: Readonly<Record<string, string | undefined>> = auditKinds
  const asked = kinds[kind] ?? event
  if (asked === undefined) return {}
  return { event: asked === event && !/[*,]/.test(asked) ? `${asked}*` : asked }
}

/** The kinds as options of a filter. */
export function kindOptions(words: Words): readonly (readonly [string, string])[] {
  const labels: Readonly<Record<string, string>> = words.kinds
  return Object.keys(auditKinds).map((kind) => [kind, labels[kind] ?? kind])
}

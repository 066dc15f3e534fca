import { auditDays } from '#src/messages/en/audit-days.ts'
import { evidence } from '#src/messages/en/evidence.ts'
import { privacy } from '#src/messages/en/privacy.ts'
import { team } from '#src/messages/en/team.ts'

/** Texts about people, trust, the account and money. */
export const trust = { ...auditDays, ...evidence, ...privacy, ...team }

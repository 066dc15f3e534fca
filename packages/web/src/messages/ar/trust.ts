import { auditDays } from '#src/messages/ar/audit-days.ts'
import { evidence } from '#src/messages/ar/evidence.ts'
import { privacy } from '#src/messages/ar/privacy.ts'
import { team } from '#src/messages/ar/team.ts'

/** Texts about people, trust, the account and money. */
export const trust = { ...auditDays, ...evidence, ...privacy, ...team }

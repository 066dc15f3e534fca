import { account } from '#src/messages/ar/account.ts'
import { auditDays } from '#src/messages/ar/audit-days.ts'
import { billing } from '#src/messages/ar/billing.ts'
import { destinations } from '#src/messages/ar/destinations.ts'
import { einvoice } from '#src/messages/ar/einvoice.ts'
import { evidence } from '#src/messages/ar/evidence.ts'
import { operate } from '#src/messages/ar/operate.ts'
import { leaving } from '#src/messages/ar/leaving.ts'
import { modelLimits } from '#src/messages/ar/model-limits.ts'
import { modelUse } from '#src/messages/ar/model-use.ts'
import { ownModels } from '#src/messages/ar/own-models.ts'
import { privacy } from '#src/messages/ar/privacy.ts'
import { signInWays } from '#src/messages/ar/sign-in-ways.ts'
import { team } from '#src/messages/ar/team.ts'

/** Texts about people, trust, the account and money. */
export const trust = {
  ...account,
  ...auditDays,
  ...billing,
  ...destinations,
  ...einvoice,
  ...evidence,
  ...leaving,
  ...operate,
  ...modelLimits,
  ...modelUse,
  ...ownModels,
  ...privacy,
  ...signInWays,
  ...team,
}

import { account } from '#src/messages/en/account.ts'
import { auditDays } from '#src/messages/en/audit-days.ts'
import { billing } from '#src/messages/en/billing.ts'
import { destinations } from '#src/messages/en/destinations.ts'
import { einvoice } from '#src/messages/en/einvoice.ts'
import { evidence } from '#src/messages/en/evidence.ts'
import { operate } from '#src/messages/en/operate.ts'
import { leaving } from '#src/messages/en/leaving.ts'
import { modelLimits } from '#src/messages/en/model-limits.ts'
import { modelUse } from '#src/messages/en/model-use.ts'
import { ownModels } from '#src/messages/en/own-models.ts'
import { privacy } from '#src/messages/en/privacy.ts'
import { signInWays } from '#src/messages/en/sign-in-ways.ts'
import { team } from '#src/messages/en/team.ts'

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

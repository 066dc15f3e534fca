import type { Config } from './read-config.ts'
import type { Flag } from './flags.ts'

/** The flags that are true: those that the operator sets, or else those whose parts are configured. */
export function flagsOf(config: Config): ReadonlySet<Flag> {
  if (config.flags !== undefined) return config.flags
  // Receipts and evidence packs need no configuration.
  const flags = new Set<Flag>(['isGuardianReceiptEnabled', 'isgovernedtyEvidenceEnabled'])
  if (config.mail !== undefined || config.devOutbox) {
    for (const flag of ['isEmailVerifyEnabled', 'isMagicLinkEnabled', 'isPasswordResetEnabled'] as const) flags.add(flag)
  }
  if (config.sms.provider !== undefined || config.devOutbox) flags.add('isPhoneOtpEnabled')
  if (config.billing.pspone !== undefined || config.billing.psptwo !== undefined) flags.add('isAutomatedBillingEnabled')
  if (config.signIn.loginOne !== undefined) flags.add('isLoginOneEnabled')
  if (config.signIn.loginTwo !== undefined) flags.add('isLoginTwoEnabled')
  return flags
}

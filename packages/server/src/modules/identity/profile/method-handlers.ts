import type { authProfile, Reply } from '@millrace/contract'
import type { RegistrationGate } from '#modules/identity/registration-gate.ts'
import type { HandlersFor } from '#platform/http/index.ts'
import type { Mail } from '#platform/mail/mail-job.ts'

type Methods = Reply<typeof authProfile.methods>

export interface MethodDeps {
  readonly flags: Pick<ReadonlySet<string>, 'has'>
  /** Whether passkeys work at the address of the installation. */
  readonly hasPasskeys: boolean
  /** Further providers that are connected. */
  readonly providers: () => Methods['providers']
  readonly gate: Pick<RegistrationGate, 'mode' | 'hasUsers'>
  readonly mail: Pick<Mail, 'isAvailable' | 'isDelivered'>
  /** For how long a deleted account can be restored. */
  readonly deletionGraceMs: number
}

/** Handlers of what a person needs to know before signing in. */
export function methodHandlers({
  flags,
  hasPasskeys,
  providers,
  gate,
  mail,
  deletionGraceMs,
}: MethodDeps): HandlersFor<typeof authProfile> {
  return {
    async methods() {
      return {
        password: true,
        registration: await gate.mode(),
        hasUsers: await gate.hasUsers(),
        keepsMails: mail.isAvailable && !mail.isDelivered,
        passwordReset: flags.has('isPasswordResetEnabled'),
        magicLink: flags.has('isMagicLinkEnabled'),
        phone: flags.has('isPhoneOtpEnabled'),
        passkey: hasPasskeys,
        providers: providers(),
        deletionGraceDays: deletionGraceMs / (24 * 60 * 60 * 1000),
        secondFactors: [
          'totp',
          ...(flags.has('isPhoneOtpEnabled') ? (['phone'] as const) : []),
          'recovery_code',
          ...(hasPasskeys ? (['passkey'] as const) : []),
        ],
      }
    },
  }
}

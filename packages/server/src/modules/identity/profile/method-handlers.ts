import type { authProfile, Reply } from '@millrace/contract'
import type { RegistrationGate } from '#modules/identity/registration-gate.ts'
import type { HandlersFor } from '#platform/http/index.ts'

type Methods = Reply<typeof authProfile.methods>

export interface MethodDeps {
  readonly flags: ReadonlySet<string>
  /** Further providers that are connected. */
  readonly providers: () => Methods['providers']
  readonly gate: Pick<RegistrationGate, 'mode'>
}

/** Handlers of what a person needs to know before signing in. */
export function methodHandlers({ flags, providers, gate }: MethodDeps): HandlersFor<typeof authProfile> {
  return {
    async methods() {
      return {
        password: true,
        registration: await gate.mode(),
        passwordReset: flags.has('isPasswordResetEnabled'),
        magicLink: flags.has('isMagicLinkEnabled'),
        phone: flags.has('isPhoneOtpEnabled'),
        providers: providers(),
        secondFactors: flags.has('isPhoneOtpEnabled') ? ['totp', 'phone', 'recovery_code'] : ['totp', 'recovery_code'],
      }
    },
  }
}

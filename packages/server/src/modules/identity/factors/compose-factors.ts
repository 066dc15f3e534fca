import type { authFactors } from '@millrace/contract'
import type { SessionCookie } from '#modules/identity/completion/session-cookie.ts'
import type { HandlersFor } from '#platform/http/index.ts'
import { factorHandlers } from './factor-handlers.ts'
import { createFactors, type FactorDeps } from './factor-service.ts'
import { createProveFactor, type ProveFactorDeps } from './prove-factor.ts'
import { createRecoveryCodes } from './recovery-codes.ts'
import { createStepUp, type StepUpDeps } from './step-up.ts'

export interface FactorParts
  extends Omit<FactorDeps, 'recoveryCodes' | 'prove'>,
    Omit<StepUpDeps, 'prove' | 'sessions'>,
    Pick<ProveFactorDeps, 'provePhone' | 'provePasskey'> {
  readonly secretKey: Uint8Array
}

/** Second factors and the step-up. */
export function composeFactors({ secretKey, ...parts }: FactorParts) {
  const recoveryCodes = createRecoveryCodes(secretKey, parts.randomBytes)
  const prove = createProveFactor({ ...parts, recoveryCodes })
  const factors = createFactors({ ...parts, recoveryCodes, prove })
  const stepUp = createStepUp({ ...parts, prove })
  return {
    factors,
    handlers: (cookie: SessionCookie): HandlersFor<typeof authFactors> => factorHandlers({ factors, stepUp, cookie }),
  }
}

/** The feature flags of the API, by their names in the contract. */
export const flagNames = [
  'isAutomatedBillingEnabled',
  'isEmailVerifyEnabled',
  'isGuardianReceiptEnabled',
  'isLoginOneEnabled',
  'isLoginTwoEnabled',
  'isMagicLinkEnabled',
  'isPasswordResetEnabled',
  'isPhoneOtpEnabled',
  'isgovernedtyEvidenceEnabled',
] as const

export type Flag = (typeof flagNames)[number]

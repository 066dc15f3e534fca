/** The flags of the interface, spelled as its contract spells them. */
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

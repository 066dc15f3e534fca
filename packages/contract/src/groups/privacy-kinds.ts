/** The kinds of personal data that are recognized. `custom`: by a rule or a deny list of the account. */
export const personalDataKinds = [
  'email',
  'phone',
  'credit_card',
  'iban',
  'ip_address',
  'mac_address',
  'url',
  'crypto_address',
  'date',
  'national_id',
  'person',
  'location',
  'organization',
  'custom',
] as const

export type PersonalDataKind = (typeof personalDataKinds)[number]

export const privacyPoints = ['input', 'journal', 'output', 'prompts', 'logs'] as const
export const privacySources = ['check', 'redact', 'execution', 'journal', 'output', 'prompts', 'logs', 'egress'] as const
export const privacyActions = ['none', 'detected', 'redacted', 'blocked', 'allowed'] as const

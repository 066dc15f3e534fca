/** Pages about people, trust, the account and money, as paths; the guard and `npm run screens` visit them. */
export const trustPages: readonly string[] = [
  'evidence',
  'privacy',
  'privacy?view=policies',
  'privacy?view=decisions',
  'privacy?view=laws',
  'privacy?view=person',
  'privacy?view=erasures',
  'privacy?view=leaving',
  'privacy?view=restore',
  'e-invoices',
  'e-invoices/new',
  'readiness',
  'settings/account',
  'settings/activity',
  'settings/data',
  'settings/model-use',
  'settings/models',
  'settings/plan',
  'settings/referrals',
  'settings/sign-in',
  'settings/team',
]

/** Pages that only people who run the installation may open. */
export const operatorPages: readonly string[] = ['operate/system', 'operate/billing', 'operate/leads', 'operate/reports']

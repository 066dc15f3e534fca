export { billing } from './billing.ts'
export { referrals } from './referrals.ts'
export { webhooks } from './webhooks.ts'

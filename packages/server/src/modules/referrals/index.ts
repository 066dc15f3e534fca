export { referralHandlers } from './handlers.ts'
export { createReferrals, type Referrals } from './service.ts'

export { createUsage, type LimitNotice, type Usage, type UsageDeps } from './usage.ts'
export { deleteUsageOf } from './usage-store.ts'

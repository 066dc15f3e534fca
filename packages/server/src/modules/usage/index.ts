export { createUsage, type LimitNotice, type Usage, type UsageDeps } from './usage.ts'
export { recordUsage } from './record-usage.ts'
export { deleteUsageOf, insertNotice, meterTasksSql } from './usage-store.ts'

export { createChains } from './chain-service.ts'
export { purgeChains } from './chain-store.ts'
export { chainHandlers } from './handlers.ts'

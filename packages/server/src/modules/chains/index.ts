export { createChains } from './chain-service.ts'
export { chainNames, purgeChains } from './chain-store.ts'
export { chainHandlers } from './handlers.ts'

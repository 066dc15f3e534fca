export { approvalHandlers } from './handlers.ts'
export { createKeeper, type Keeper, type KeeperDeps } from './keeper.ts'
export { purgeApprovals } from './purge.ts'
export { createApprovals } from './service.ts'

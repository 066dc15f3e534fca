export { type ErasedExecution, findErased, hasErasure } from './erased-record.ts'
export { createErasures } from './erasure-service.ts'
export { deleteErasuresOf } from './erasure-store.ts'
export { erasureHandlers } from './handlers.ts'

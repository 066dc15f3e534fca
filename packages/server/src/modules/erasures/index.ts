export { createErasures } from './erasure-service.ts'
export { deleteErasuresOf } from './erasure-store.ts'
export { erasureHandlers } from './handlers.ts'

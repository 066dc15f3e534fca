export { apiKeyHandlers } from './handlers.ts'
export { type Access, type AccessDeps, createAccess } from './service.ts'
export { createKeyFinder, writeKeyUses } from './store.ts'

export { apiKeyHandlers } from './handlers.ts'
export { createKeyFinder } from './key-finder.ts'
export { type Access, type AccessDeps, createAccess } from './service.ts'
export { writeKeyUses } from './store.ts'

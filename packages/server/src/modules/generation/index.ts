export { createGeneration } from './generation-service.ts'
export { generationHandlers } from './handlers.ts'

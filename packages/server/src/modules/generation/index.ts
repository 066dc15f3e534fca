export { chooseFunctions } from './choose-functions.ts'
export { createGeneration } from './generation-service.ts'
export { generationHandlers } from './handlers.ts'

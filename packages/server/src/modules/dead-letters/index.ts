export { deadLetterHandlers } from './handlers.ts'
export { createDeadLetters } from './service.ts'

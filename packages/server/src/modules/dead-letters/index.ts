export { deadLetterHandlers } from './handlers.ts'
export { createDeadLetters } from './service.ts'
export { deleteOldLetters } from './store.ts'

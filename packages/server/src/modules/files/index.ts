export { type AccountFiles, createAccountFiles } from './file-service.ts'
export { fileHandlers } from './handlers.ts'

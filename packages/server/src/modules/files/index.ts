export { type AccountFiles, createAccountFiles } from './file-service.ts'
export { fileHandlers } from './handlers.ts'
export { lifeMsOf, mediaPattern } from './model.ts'

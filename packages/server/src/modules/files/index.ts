export { type AccountFiles, createAccountFiles } from './file-service.ts'

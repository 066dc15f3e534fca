export { type AccountData, type AccountDeletion, createAccountDeletion } from './account-deletion.ts'
export { restoreHandlers } from './handlers.ts'

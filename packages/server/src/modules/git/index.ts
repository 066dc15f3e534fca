export { gitHeaders } from './git-headers.ts'
export { createGit } from './git-service.ts'
export { deleteRepositoriesOf, pauseRepositoriesOf, repositoryNames, resumeRepositoriesOf } from './git-store.ts'
export { gitHandlers } from './handlers.ts'

export { createBrowsing } from './browse.ts'
export { deleteMarketplaceOf, entryNames, hideEntriesOf, showEntriesOf } from './entry-store.ts'
export { marketplaceHandlers } from './handlers.ts'
export { createMarketplace } from './marketplace-service.ts'

/** Pages of building and of assistance, which the journeys and the pictures visit. */
export const buildingPaths: readonly string[] = [
  '/new',
  '/new/words',
  '/new/import',
  '/templates',
  '/templates/access-request',
  '/triggers',
  '/assistant',
  '/assistant/drafts',
  '/agents',
  '/chains',
  '/chains/new',
  '/agents/new',
]

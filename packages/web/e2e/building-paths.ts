/** Pages of building and of assistance, which the journeys and the pictures visit. */
export const buildingPaths: readonly string[] = ['/templates', '/templates/access-request']

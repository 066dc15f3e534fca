import type { SealedPlace } from '#platform/sealing/sealing.ts'

/** How long the file of a report is kept. */
export const reportLifeMs = 7 * 24 * 60 * 60 * 1000

/** The owner of the file of a report and of its parts. */
export const ownerOf = (id: string) => `report:${id}`

export const placeOf = (id: string): SealedPlace => ({ table: 'privacy_reports', column: 'sealed', row: id })

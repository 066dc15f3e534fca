import * as z from 'zod'

/** As far as the database counts versions. */
export const versionNumberMax = 2_147_483_647

/** Number of a published version in a body. */
export const VersionNumber = z.int().min(1).max(versionNumberMax)

/** The same in a query, where it is text. */
export const VersionNumberText = z.coerce.number<number>().int().min(1).max(versionNumberMax)

import * as z from 'zod'

export const pageSizeDefault = 25
export const pageSizeMax = 100

/** Query members of every list: how many, and from where. */
export const listQuery = {
  limit: z.coerce
    .number<number>({ error: 'Must be a whole number from 1 to 100.' })
    .int()
    .min(1)
    .max(pageSizeMax)
    .default(pageSizeDefault)
    .describe('How many entries to return at most.'),
  cursor: z
    .string()
    .min(1)
    .max(512)
    .optional()
    .describe('`nextCursor` of the page before. Opaque; keep all other parameters as they were.'),
} as const

/** A page of a list, newest first. */
export function listPage<Item extends z.ZodType>(item: Item) {
  return z.object({
    data: z.array(item).describe('The entries of this page, newest first.'),
    nextCursor: z.string().nullable().describe('Give it as `cursor` to get the next page; null on the last one.'),
  })
}

import * as z from 'zod'
import { type IdPrefix, typeId } from './ids.ts'

export const pageSizeDefault = 25
export const pageSizeMax = 100

/** Query members of every list: page size and cursor. */
export const listQuery = {
  limit: z.coerce
    .number<number>({ error: 'Must be a whole number from 1 to 100.' })
    .int()
    .min(1)
    .max(pageSizeMax)
    .default(pageSizeDefault)
    .describe('The largest number of entries to return.'),
  cursor: cursorOf(512),
} as const

/** The query member `cursor` of a list. @param charactersMax which a text in the cursor may need. */
export function cursorOf(charactersMax: number) {
  return z
    .string()
    .min(1)
    .max(charactersMax)
    .optional()
    .describe('`nextCursor` of the previous page. Opaque; repeat all other parameters unchanged, except `limit` and times.')
}

/** A page of a list. @param order of its entries. */
export function listPage<Item extends z.ZodType>(item: Item, order = 'newest first') {
  return z.object({
    data: z.array(item).describe(`The entries of this page, ${order}.`),
    nextCursor: z.string().nullable().describe('Send it as `cursor` to get the next page; null on the last one.'),
  })
}

/** Several values in one parameter, separated by commas. */
export function severalOf<const V extends string>(values: readonly V[], description: string) {
  const one = z.enum(values)
  return z
    .string()
    .max(300)
    .transform((text, ctx) => {
      const parsed = z.array(one).safeParse([...new Set(text.split(','))])
      if (parsed.success) return parsed.data
      ctx.addIssue({ code: 'custom', message: `Must be one or several of these, separated by commas: ${values.join(', ')}.` })
      return z.NEVER
    })
    .meta({ description, examples: [values[0]] })
}

/** Several ids in one parameter, separated by commas; at most a page of them. */
export function idsOf(prefix: IdPrefix, description: string) {
  const ids = z.array(typeId(prefix)).max(pageSizeMax)
  return z
    .string()
    .max(pageSizeMax * 40)
    .transform((text, ctx) => {
      const parsed = ids.safeParse([...new Set(text.split(','))])
      if (parsed.success) return parsed.data
      ctx.addIssue({ code: 'custom', message: `Must be at most ${pageSizeMax} ids that begin with ${prefix}_, separated by commas.` })
      return z.NEVER
    })
    .meta({ description })
}

/** A text to look for. */
export const searchText = z.string().trim().min(1).max(200).optional()

import * as z from 'zod'
import { labelsMax, nameMax, parseLabelFilter, valueMax } from './label-text.ts'

/** The query member `label`. */
export const labelFilter = z
  .string()
  .max(labelsMax * (nameMax + valueMax + 2))
  .transform((text, ctx) => {
    const labels = parseLabelFilter(text)
    if (labels !== undefined) return labels
    ctx.addIssue({
      code: 'custom',
      message: String.raw`Must be labels as name:value, at most ${labelsMax}, separated by commas; write \, for a comma in a value.`,
    })
    return z.NEVER
  })
  .optional()
  .meta({
    description: 'Labels that it must have, as `name:value`, separated by commas; all must match. Write `\\,` for a comma in a value.',
    examples: ['order:4711'],
  })

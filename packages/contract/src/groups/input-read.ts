import * as z from 'zod'

/** A part of its input that a workflow reads. */
export const InputRead = z
  .object({
    path: z.string().meta({
      description:
        'A part of the input: `items[].price` is the price of every item. A name that is not a plain word is in brackets and quotes.',
      examples: ['customer.email'],
    }),
    task: z.string().nullable().describe('Name of the first task that reads it; null for the workflow itself.'),
    pointer: z.string().describe('JSON Pointer of that task.'),
  })
  .meta({ id: 'InputRead' })

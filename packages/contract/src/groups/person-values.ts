import * as z from 'zod'

const Value = z
  .string()
  .trim()
  .min(5, { error: 'Must have at least 5 characters: a shorter text would be found where the person is not meant.' })
  .max(320)
  .refine((text) => !/\p{Cc}/u.test(text), { error: 'Must have no control characters.' })

/** What a person is found by. */
export const PersonValues = z
  .array(Value)
  .min(1)
  .max(20)
  .describe('What identifies the person, in each form in which it may be written: addresses, telephone numbers, names. Case is ignored.')
  .meta({ examples: [['ada@example.com', 'Ada Lovelace', '+966 50 123 4567']] })

/** What an erasure does with a record that has the data. */
export const PersonAction = z.enum(['replace', 'delete', 'keep'])

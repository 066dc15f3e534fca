import * as z from 'zod'
import { typeId } from './ids.ts'

/** A file that data name, for people who read the data. */
export const ShownFile = z
  .object({
    id: typeId('file'),
    name: z.string().describe('As the data have it.'),
    contentType: z.string().describe('As its sender says.'),
    size: z.int().describe('In bytes.'),
    isPicture: z.boolean().describe('Whether browsers can show it: PNG, JPEG, GIF and WebP. Every other file is for saving.'),
  })
  .meta({ id: 'ShownFile' })

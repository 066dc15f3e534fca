import { boot } from '#src/boot.ts'

// Only these pages read them: the texts of all pages load with every page.
const { tables } = await (boot.locale === 'ar' ? import('#src/messages/ar/tables.ts') : import('#src/messages/en/tables.ts'))

/** The texts of the pages of tables. */
export const t = tables

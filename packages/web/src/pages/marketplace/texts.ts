import { boot } from '#src/boot.ts'

// Only the pages of the marketplace read them: the texts of all pages load with every page.
const { marketplace } = await (boot.locale === 'ar' ? import('#src/messages/ar/marketplace.ts') : import('#src/messages/en/marketplace.ts'))

/** The texts of the marketplace. */
export const t = marketplace

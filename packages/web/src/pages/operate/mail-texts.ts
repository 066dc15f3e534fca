import { boot } from '#src/boot.ts'

// Only this page reads them: the texts of all pages load with every page.
const { operatedMail } = await (boot.locale === 'ar'
  ? import('#src/messages/ar/operated-mail.ts')
  : import('#src/messages/en/operated-mail.ts'))

/** The texts about the mails of the installation. */
export const t = operatedMail

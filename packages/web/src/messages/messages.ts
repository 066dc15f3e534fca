import { en } from '#src/messages/en/index.ts'
import type { Locale } from '#src/boot.ts'

export type Messages = typeof en

/** The texts in the language of the page. */
export let m: Messages = en

export async function loadMessages(locale: Locale): Promise<void> {
  if (locale === 'ar') m = (await import('#src/messages/ar/index.ts')).ar
}

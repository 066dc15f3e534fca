import type { Locale } from '#src/boot.ts'
import type { en } from '#src/messages/en/index.ts'
import { first } from '#src/messages/en/first.ts'

export type Messages = typeof en
export type FirstMessages = typeof first

/** The texts in the language of the page. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Pages that begin with fewer texts read no others: first.test.ts checks it.
export let m: Messages = first as Messages

let language: Locale = 'en'

/** Chooses the language, and loads the texts of the pages without a session. */
export async function loadFirstMessages(locale: Locale): Promise<void> {
  language = locale
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- As above.
  if (locale === 'ar') m = (await import('#src/messages/ar/first.ts')).first as Messages
}

let all: Promise<void> | undefined

/** Loads the texts of all pages, once. */
export function loadMessages(): Promise<void> {
  return (all ??= load().catch((error: unknown) => {
    all = undefined
    throw error
  }))
}

async function load(): Promise<void> {
  m = language === 'ar' ? (await import('#src/messages/ar/index.ts')).ar : (await import('#src/messages/en/index.ts')).en
}

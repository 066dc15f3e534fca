import { type MailLocale, mailLocaleOf } from './compose-mail.ts'

/** Whose clock and calendar a mail uses. */
export interface MailReader {
  readonly locale: MailLocale
  /** IANA name of a time zone. */
  readonly zone: string
}

interface KnownOfReader {
  /** A language tag. */
  readonly locale: string | null | undefined
  readonly zone: string | null | undefined
}

/** What is not known of a reader is English and UTC. */
export function mailReaderOf({ locale, zone }: KnownOfReader): MailReader {
  return { locale: mailLocaleOf(locale ?? undefined), zone: zone ?? 'UTC' }
}

const tags: Readonly<Record<MailLocale, string>> = { en: 'en-GB', ar: 'ar-u-nu-latn' }

/** A time as the reader of a mail writes it, with its zone: "Monday 2 March 2026 at 14:00 CET". */
export function mailTime(at: Date, { locale, zone }: MailReader): string {
  return formatOf(tags[locale], zone).format(at)
}

/** A date without a time as the reader of a mail writes it: "2 March 2026". */
export function mailDay(midnight: Date, { locale }: MailReader): string {
  return new Intl.DateTimeFormat(tags[locale], { dateStyle: 'long', timeZone: 'UTC' }).format(midnight)
}

function formatOf(tag: string, timeZone: string): Intl.DateTimeFormat {
  const fields = {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
    hourCycle: 'h23',
  } as const
  try {
    return new Intl.DateTimeFormat(tag, { ...fields, timeZone })
  } catch {
    // A zone that this runtime does not know.
    return new Intl.DateTimeFormat(tag, { ...fields, timeZone: 'UTC' })
  }
}

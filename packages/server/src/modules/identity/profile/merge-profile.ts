import { Fault, type JsonValue } from '@millrace/contract'
import type { Profile } from './profile-store.ts'

/** A change: `undefined` leaves a member, null removes it. */
export interface ProfileChange {
  readonly name?: string | null | undefined
  readonly locale?: string | null | undefined
  readonly zone?: string | null | undefined
  readonly preferences?: Readonly<Record<string, JsonValue>> | undefined
}

export const preferenceBytesMax = 16 * 1024

/** Applies a change; a Fault that names the member that cannot be used. */
export function mergeProfile(profile: Profile, { name, locale, zone, preferences }: ProfileChange): Profile {
  return {
    ...profile,
    name: name === undefined ? profile.name : (name ?? undefined),
    locale: locale === undefined ? profile.locale : locale === null ? undefined : canonicalLocale(locale),
    zone: zone === undefined ? profile.zone : zone === null ? undefined : canonicalZone(zone),
    preferences: preferences === undefined ? profile.preferences : mergePreferences(profile.preferences, preferences),
  }
}

function mergePreferences(before: Profile['preferences'], change: Profile['preferences']): Profile['preferences'] {
  const members = new Map(Object.entries(before))
  for (const [key, value] of Object.entries(change)) {
    if (value === null) members.delete(key)
    else members.set(key, value)
  }
  const merged = Object.fromEntries(members)
  const bytes = Buffer.byteLength(JSON.stringify(merged))
  if (bytes > preferenceBytesMax)
    throw refused(
      '/preferences',
      `Would have ${bytes} bytes as JSON together with the stored ones; at most ${preferenceBytesMax} are kept.`,
    )
  return merged
}

function canonicalLocale(tag: string): string {
  try {
    const [canonical = tag] = Intl.getCanonicalLocales(tag)
    if (canonical.length <= 35) return canonical
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
  }
  throw refused('/locale', 'Is not a language tag. Write for example en, de-AT or ar-SA.')
}

function canonicalZone(name: string): string {
  // Offsets such as +02:00 are not names of the database.
  if (/^[A-Za-z]/.test(name)) {
    try {
      return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
    }
  }
  throw refused('/zone', 'Is not a name of the IANA time zone database. Write for example Europe/Berlin or Asia/Riyadh.')
}

function refused(pointer: string, detail: string): Fault {
  return new Fault('request_invalid', { errors: [{ pointer, detail }] })
}

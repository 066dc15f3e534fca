let zone: string | undefined

/** The zone in which times are shown and asked for; undefined: that of the browser. */
export const shownZone = (): string | undefined => zone

/** Sets the zone that a person has chosen; one that the browser does not know counts as none. @returns whether it is another one than before. */
export function setShownZone(chosen: string | undefined): boolean {
  const isKnown = chosen === undefined || Intl.supportedValuesOf('timeZone').includes(chosen) || chosen === 'UTC'
  const before = zone
  zone = isKnown ? chosen : undefined
  return zone !== before
}

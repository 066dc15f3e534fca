export const durationUnits = ['M', 'H', 'D', 'W'] as const
export type DurationUnit = (typeof durationUnits)[number]

/** A duration that a number and a unit say. */
export interface PlainDuration {
  readonly count: number
  readonly unit: DurationUnit
}

/** An ISO 8601 duration of one part; undefined for seconds, for several parts, and for an expression. */
export function plainDuration(text: string): PlainDuration | undefined {
  const found = /^P(?:(?<days>\d{1,6})(?<day>[DW])|T(?<hours>\d{1,6})(?<hour>[HM]))$/.exec(text)?.groups
  const unit = durationUnits.find((one) => one === (found?.['day'] ?? found?.['hour']))
  return unit === undefined ? undefined : { count: Number(found?.['days'] ?? found?.['hours']), unit }
}

/** The duration in ISO 8601. */
export function isoDuration({ count, unit }: PlainDuration): string {
  return unit === 'D' || unit === 'W' ? `P${count}${unit}` : `PT${count}${unit}`
}

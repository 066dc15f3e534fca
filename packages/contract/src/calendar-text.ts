const forms = {
  date: /^\d{4}-\d\d-\d\d$/,
  time: /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/,
} as const

/** What a text is to a calendar: a date such as 2026-01-31, a time with its zone, or undefined. */
export function calendarKind(text: string): keyof typeof forms | undefined {
  if (Number.isNaN(Date.parse(text))) return undefined
  return forms.date.test(text) ? 'date' : forms.time.test(text) ? 'time' : undefined
}

/** A time as a field for date and time has it: in the time zone of the browser, to the minute. */
export function localTime(iso: string): string {
  const date = new Date(iso)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** Fractions of a second and parts of a duration may have any number of digits; this bounds them. */
const LENGTH_MAX = 256

const date = /^(\d{4})-(\d\d)-(\d\d)$/
const time = /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:z|([+-])(\d\d):(\d\d))$/i
const dateOfDuration = /^(?:\d+Y(?:\d+M(?:\d+D)?)?|\d+M(?:\d+D)?|\d+D)$/
const timeOfDuration = /^(?:\d+H(?:\d+M(?:\d+S)?)?|\d+M(?:\d+S)?|\d+S)$/

/** A full-date of RFC 3339. */
export function isDate(text: string): boolean {
  if (text.length !== 10) return false
  const [whole, year, month, day] = (date.exec(text) ?? []).map(Number)
  if (whole === undefined || year === undefined || month === undefined || day === undefined) return false
  return month >= 1 && month <= 12 && day >= 1 && day <= daysOf(year, month)
}

/** A full-time of RFC 3339. A leap second is the last one of a day in UTC. */
export function isTime(text: string): boolean {
  const parts = text.length > LENGTH_MAX ? null : time.exec(text)
  if (parts === null) return false
  const [hour, minute, second, , offsetHour, offsetMinute] = parts.slice(1).map((part) => Number(part ?? 0))
  if (hour === undefined || minute === undefined || second === undefined || offsetHour === undefined || offsetMinute === undefined)
    return false
  if (hour > 23 || minute > 59 || second > 60 || offsetHour > 23 || offsetMinute > 59) return false
  if (second < 60) return true
  const offset = (parts[4] === '-' ? -1 : 1) * (offsetHour * 60 + offsetMinute)
  return (hour * 60 + minute - offset + 2 * 1_440) % 1_440 === 1_439
}

export function isDateTime(text: string): boolean {
  return /[t\s]/i.test(text.charAt(10)) && isDate(text.slice(0, 10)) && isTime(text.slice(11))
}

/** A duration of ISO 8601 as RFC 3339, appendix A, has it. */
export function isDuration(text: string): boolean {
  if (text.length > LENGTH_MAX || !text.startsWith('P')) return false
  if (/^P\d+W$/.test(text)) return true
  const [days = '', hours] = text.slice(1).split('T', 2)
  if (text.split('T').length > 2 || (days === '' && hours === undefined)) return false
  return (days === '' || dateOfDuration.test(days)) && (hours === undefined || timeOfDuration.test(hours))
}

function daysOf(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return [4, 6, 9, 11].includes(month) ? 30 : 31
}

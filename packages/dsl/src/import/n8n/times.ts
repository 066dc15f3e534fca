import { readCron } from '#src/shape/cron.ts'
import { at, listOf, numberOf, textOf } from '#src/import/value.ts'
import { shortType } from './nodes/apps.ts'
import type { N8nNode } from './read-export.ts'

/** When a schedule of n8n is due, in the kinds of schedules of Millrace. */
export type N8nTime =
  /** Of five fields, or of six with seconds first. */
  | { readonly kind: 'cron'; readonly cron: string }
  | { readonly kind: 'every'; readonly unit: Unit; readonly count: number }
  /** A rule of RFC 5545 for what cron cannot say, with its first local time. */
  | { readonly kind: 'rule'; readonly rrule: string; readonly start: string }
  | { readonly kind: 'unread' }

type Unit = 'seconds' | 'minutes' | 'hours'

/** More times of one node are not read. */
const timesMax = 20

/** The times of a node that starts its workflow by a schedule. */
export function timesOf({ parameters, type }: N8nNode): readonly N8nTime[] {
  if (shortType(type) === 'interval') {
    const unit = textOf(parameters['unit']) || 'seconds'
    return [timeOf({ field: unit, [`${unit}Interval`]: parameters['interval'] ?? 1 })]
  }
  const rules = [...listOf(at(parameters, 'rule', 'interval')), ...listOf(at(parameters, 'triggerTimes', 'item'))]
  const times = rules.slice(0, timesMax).map(timeOf)
  return rules.length > timesMax ? [...times, { kind: 'unread' }] : times
}

/** The cron expression is checked, since hours and days of an export can be anything. */
function timeOf(rule: unknown): N8nTime {
  const read = readTime(rule)
  if (read?.kind !== 'cron') return read ?? { kind: 'unread' }
  const fields = read.cron.split(' ')
  return 'code' in readCron(fields.slice(-5).join(' ')) || (fields.length === 6 && !seconds.test(read.cron)) ? { kind: 'unread' } : read
}

const seconds = /^(?:\*|[0-5]?\d(?:-[0-5]?\d)?(?:,[0-5]?\d)*)(?:\/[0-5]?\d)? /

function readTime(rule: unknown): N8nTime | undefined {
  const [minute, hour] = [whole(rule, ['triggerAtMinute', 'minute'], 0), whole(rule, ['triggerAtHour', 'hour'], 0)]
  if (minute === undefined || hour === undefined) return undefined
  const field = textOf(at(rule, 'field') ?? at(rule, 'mode')) || 'days'
  switch (field) {
    case 'everyMinute':
      return { kind: 'cron', cron: '* * * * *' }
    case 'everyHour':
      return { kind: 'cron', cron: `${minute} * * * *` }
    case 'seconds':
    case 'minutes':
    case 'hours':
      return interval(field, whole(rule, [`${field}Interval`], defaultCounts[field]), minute)
    case 'everyX':
      return interval(textOf(at(rule, 'unit')) === 'minutes' ? 'minutes' : 'hours', whole(rule, ['value'], 1), 0)
    case 'days':
    case 'everyDay':
    case 'weeks':
    case 'everyWeek':
    case 'months':
    case 'everyMonth':
      return byCalendar(rule, field, { minute, hour })
    case 'cronExpression':
    case 'custom':
      return cronOf(textOf(at(rule, 'expression') ?? at(rule, 'cronExpression')).replace(/^=/, ''))
    default:
      return undefined
  }
}

const defaultCounts = { seconds: 30, minutes: 5, hours: 1 } as const

/** The first of the members that is there; undefined for one that is no whole number, such as an expression. */
function whole(rule: unknown, keys: readonly string[], fallback: number): number | undefined {
  const given = keys.map((key) => at(rule, key)).find((value) => value !== undefined && value !== '')
  const value = given === undefined ? fallback : numberOf(given)
  return Number.isInteger(value) && value >= 0 ? value : undefined
}

/** Cron can say only steps that divide the hour or the day: a step of 45 minutes would be one of 45 and one of 15 in turn. */
function interval(unit: Unit, given: number | undefined, minute: number): N8nTime | undefined {
  const count = given === undefined ? undefined : Math.max(1, given)
  if (count === undefined) return undefined
  if (unit === 'minutes' && 60 % count === 0 && count < 60) return { kind: 'cron', cron: `${step(count)} * * * *` }
  if (unit === 'hours' && 24 % count === 0 && count < 24) return { kind: 'cron', cron: `${minute} ${step(count)} * * *` }
  return { kind: 'every', unit, count }
}

function step(count: number): string {
  return count === 1 ? '*' : `*/${count}`
}

/** The first time of rules; a Monday, so that it begins a week. */
const ruleStart = '2026-01-05'
const dayNames = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'] as const

type Calendar = 'days' | 'everyDay' | 'weeks' | 'everyWeek' | 'months' | 'everyMonth'

function byCalendar(rule: unknown, field: Calendar, { minute, hour }: { readonly minute: number; readonly hour: number }) {
  const count = whole(rule, [`${field}Interval`], 1)
  const dayOfMonth = whole(rule, ['triggerAtDayOfMonth', 'dayOfMonth'], 1)
  if (count === undefined || dayOfMonth === undefined) return undefined
  const cron = (days: string): N8nTime => ({ kind: 'cron', cron: `${minute} ${hour} ${days}` })
  const rrule = (text: string): N8nTime | undefined =>
    hour > 23 || minute > 59 ? undefined : { kind: 'rule', rrule: text, start: `${ruleStart}T${twoDigits(hour)}:${twoDigits(minute)}:00` }
  if (field === 'days' || field === 'everyDay') return count <= 1 ? cron('* * *') : rrule(`FREQ=DAILY;INTERVAL=${count}`)
  if (field === 'months' || field === 'everyMonth') {
    const day = Math.max(1, dayOfMonth)
    return 12 % Math.max(1, count) === 0
      ? cron(`${day} ${step(Math.max(1, count))} *`)
      : day > 31
        ? undefined
        : rrule(`FREQ=MONTHLY;INTERVAL=${count};BYMONTHDAY=${day}`)
  }
  const days = listOf(at(rule, 'triggerAtDay')).map(textOf)
  const weekdays = days.length > 0 ? days : [textOf(at(rule, 'weekday')) || '0']
  if (!weekdays.every((day) => /^[0-7]$/.test(day))) return count <= 1 ? cron(`* * ${weekdays.join(',')}`) : undefined
  return count <= 1
    ? cron(`* * ${weekdays.join(',')}`)
    : rrule(`FREQ=WEEKLY;INTERVAL=${count};BYDAY=${[...new Set(weekdays.map((day) => dayNames[Number(day) % 7]))].join(',')}`)
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}

/** A cron of six fields begins with seconds; without them it is the same when they are 0. */
function cronOf(text: string): N8nTime | undefined {
  const fields = text.trim().split(/\s+/)
  const kept = fields.length === 6 && /^0+$/.test(fields[0] ?? '') ? fields.slice(1) : fields
  const isCron = (kept.length === 5 || kept.length === 6) && kept.every((field) => /^[\d*,/\-A-Za-z]+$/.test(field))
  return isCron ? { kind: 'cron', cron: kept.join(' ') } : undefined
}

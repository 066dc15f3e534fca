import { startsByItself, type TriggerProposal } from '#src/import/report.ts'
import { at, listOf, numberOf, textOf } from '#src/import/value.ts'
import { shortType } from './nodes/apps.ts'
import type { N8nNode } from './read-export.ts'

const others = new Set(['webhook', 'cron', 'interval', 'start', 'emailReadImap', 'rssFeedReadTrigger', 'form'])

export function isTrigger({ type }: N8nNode): boolean {
  const short = shortType(type)
  return short.endsWith('Trigger') || others.has(short)
}

/** A trigger node: what starts the workflow as it did, and what its author has to know or do. */
export interface N8nStart {
  readonly proposal: TriggerProposal
  /** Undefined if it only has to be created. */
  readonly reason?: string
  /** Whether the reason is no more than a note. */
  readonly isNote?: boolean
  /** The cron expression of `schedule` in the definition, which is in UTC. */
  readonly cron?: string
  /** Whether it starts the workflow as soon as that is published, without a trigger. */
  readonly byItself?: boolean
}

/** What else is known of the workflow of a trigger node. */
interface Surroundings {
  readonly timeZone: string | undefined
  /** Whether nothing else starts the workflow, so that the definition can have its schedule. */
  readonly only: boolean
}

export function startOf(node: N8nNode, surroundings: Surroundings): N8nStart {
  const { name, parameters } = node
  const short = shortType(node.type)
  if (short === 'webhook' || short === 'formTrigger' || short === 'form' || short === 'chatTrigger') {
    const settings = {
      path: textOf(parameters['path']),
      method: textOf(parameters['httpMethod']) || (short === 'webhook' ? 'GET' : 'POST'),
      reply:
        textOf(parameters['responseMode']) === 'responseNode'
          ? 'respond'
          : textOf(parameters['responseMode']) === 'lastNode'
            ? 'end'
            : 'accepted',
    }
    return {
      proposal: { name, kind: 'webhook', settings },
      ...(short === 'webhook' ? {} : { reason: 'A form or chat starts it: post its fields to a webhook.' }),
    }
  }
  if (short === 'manualTrigger' || short === 'start') return byItself(name, 'manual')
  if (short === 'executeWorkflowTrigger') return byItself(name, 'workflow')
  if (short === 'scheduleTrigger' || short === 'cron' || short === 'interval') {
    return scheduleOf(node, surroundings)
  }
  return {
    proposal: { name, kind: short === 'errorTrigger' ? 'event' : 'webhook', settings: { source: short } },
    reason:
      short === 'errorTrigger'
        ? 'Create a trigger for the event of a failed execution.'
        : `${short} listened to a service. Create a webhook trigger, and register its address with the service.`,
  }
}

function byItself(name: string, kind: 'manual' | 'workflow'): N8nStart {
  return { proposal: { name, kind, settings: {} }, reason: startsByItself[kind], isNote: true, byItself: true }
}

function scheduleOf(node: N8nNode, { timeZone, only }: Surroundings): N8nStart {
  const crons = cronsOf(node)
  const settings = { crons, ...(timeZone === undefined ? {} : { timeZone }) }
  const proposal: TriggerProposal = { name: node.name, kind: 'schedule', settings }
  const [cron] = crons
  if (cron === undefined) return { proposal, reason: 'The interval could not be read. Set the schedule.' }
  const inUtc = crons.every((one) => everyMinutes.test(one)) || (timeZone !== undefined && utc.test(timeZone))
  if (timeZone !== undefined && !inUtc) {
    const reason = `Becomes a trigger of kind schedule in the time zone ${timeZone}: create it after you publish. The definition cannot have it, because \`schedule\` is in UTC.`
    return { proposal, reason, isNote: true }
  }
  const inDefinition = only && crons.length === 1
  const place = inDefinition ? startsByItself.schedule : 'Becomes a trigger of kind schedule: create it after you publish.'
  const found = inDefinition ? { proposal: { ...proposal, settings: { crons, timeZone: 'UTC' } }, cron, byItself: true } : { proposal }
  if (inUtc) return { ...found, reason: place, isNote: true }
  const advice = inDefinition
    ? 'If its hours are those of another time zone, remove `schedule` from the definition and create a schedule trigger with that zone instead.'
    : 'Give it the time zone that its hours are in; without one it is UTC.'
  return { ...found, reason: `${place} The export names no time zone; in n8n that of its server applied. ${advice}` }
}

/** Is due at the same moments in every time zone: offsets are multiples of 15 minutes. */
const everyMinutes = /^\*(?:\/(?:1|3|5|15))? \* \* \* \*$/
const utc = /^(?:Etc\/)?(?:UTC|UCT|GMT|Zulu|Universal|Greenwich)$/

function cronsOf({ parameters, type }: N8nNode): readonly string[] {
  const rules =
    shortType(type) === 'interval'
      ? [
          {
            field: textOf(parameters['unit']) || 'seconds',
            [`${textOf(parameters['unit']) || 'seconds'}Interval`]: parameters['interval'] ?? 1,
          },
        ]
      : [...listOf(at(parameters, 'rule', 'interval')), ...listOf(at(parameters, 'triggerTimes', 'item'))]
  return rules.slice(0, 20).flatMap((rule) => {
    const cron = cronOf(rule)
    return cron === undefined ? [] : [cron]
  })
}

function cronOf(rule: unknown): string | undefined {
  const whole = (key: string, fallback: number) => {
    const value = numberOf(at(rule, key) ?? fallback)
    return Number.isInteger(value) && value >= 0 ? value : fallback
  }
  const [minute, hour] = [whole('triggerAtMinute', whole('minute', 0)), whole('triggerAtHour', whole('hour', 0))]
  const every = (count: number) => (count <= 1 ? '*' : `*/${count}`)
  switch (textOf(at(rule, 'field') ?? at(rule, 'mode')) || 'days') {
    case 'seconds':
    case 'everyMinute':
      return '* * * * *'
    case 'minutes':
      return `${every(Math.min(whole('minutesInterval', 5), 59))} * * * *`
    case 'everyHour':
    case 'hours':
      return `${minute} ${every(Math.min(whole('hoursInterval', 1), 23))} * * *`
    case 'days':
    case 'everyDay':
      return `${minute} ${hour} ${every(Math.min(whole('daysInterval', 1), 31))} * *`
    case 'weeks':
    case 'everyWeek':
      return `${minute} ${hour} * * ${
        listOf(at(rule, 'triggerAtDay'))
          .map(textOf)
          .filter((day) => /^[0-7]$/.test(day))
          .join(',') ||
        textOf(at(rule, 'weekday')) ||
        '0'
      }`
    case 'months':
    case 'everyMonth':
      return `${minute} ${hour} ${Math.max(1, whole('triggerAtDayOfMonth', whole('dayOfMonth', 1)))} ${every(Math.min(whole('monthsInterval', 1), 12))} *`
    case 'everyX':
      return textOf(at(rule, 'unit')) === 'minutes'
        ? `${every(Math.min(whole('value', 5), 59))} * * * *`
        : `0 ${every(Math.min(whole('value', 1), 23))} * * *`
    case 'cronExpression':
    case 'custom':
      return fiveFields(textOf(at(rule, 'expression') ?? at(rule, 'cronExpression')).replace(/^=/, ''))
    default:
      return undefined
  }
}

/** A cron of six fields begins with seconds, which are dropped. */
function fiveFields(text: string): string | undefined {
  const fields = text.trim().split(/\s+/)
  const five = fields.length === 6 ? fields.slice(1) : fields
  return five.length === 5 && five.every((field) => /^[\d*,/\-A-Za-z]+$/.test(field)) ? five.join(' ') : undefined
}

import { startsByItself, type TriggerProposal } from '#src/import/report.ts'
import { textOf } from '#src/import/value.ts'
import { isUtc } from './dates.ts'
import { errorProposal, errorReasons, errorSchedule } from './error-start.ts'
import { shortType } from './nodes/apps.ts'
import type { N8nNode } from './read-export.ts'
import { type N8nTime, timesOf } from './times.ts'

const others = new Set(['webhook', 'cron', 'interval', 'start', 'emailReadImap', 'rssFeedReadTrigger', 'form'])

export function isTrigger({ type }: N8nNode): boolean {
  const short = shortType(type)
  return short.endsWith('Trigger') || others.has(short)
}

/** Whether it starts when a run of another workflow fails. */
export function isErrorTrigger({ type }: N8nNode): boolean {
  return shortType(type) === 'errorTrigger'
}

/** Triggers that begin with one item each time. Those that ask a service at intervals, and those of other workflows, may have several. */
const single = new Set(
  'webhook form formTrigger chatTrigger manualTrigger scheduleTrigger cron interval errorTrigger telegramTrigger slackTrigger stripeTrigger githubTrigger gitlabTrigger typeformTrigger jotFormTrigger calendlyTrigger shopifyTrigger wooCommerceTrigger whatsAppTrigger'.split(
    ' ',
  ),
)

export function givesOneItem({ type }: N8nNode): boolean {
  return single.has(shortType(type))
}

/** A trigger node: what starts the workflow as it did, and what its author has to know or do. */
export interface N8nStart {
  readonly proposal: TriggerProposal
  /** Undefined if it only has to be created. */
  readonly reason?: string
  /** Whether the reason is no more than a note. */
  readonly isNote?: boolean
  /** The `schedule` of the definition. */
  readonly schedule?: { readonly cron: string } | { readonly every: Readonly<Record<string, number>> } | typeof errorSchedule
  /** The zone of `schedule`; undefined for UTC. */
  readonly timeZone?: string
  /** Whether it starts the workflow as soon as that is published, without a trigger. */
  readonly byItself?: boolean
}

/** What else is known of the workflow of a trigger node. */
interface Surroundings {
  readonly timeZone: string | undefined
  /** Whether nothing else starts the workflow, so that the definition can have its schedule. */
  readonly only: boolean
}

/** What a trigger node starts: several starts for a schedule whose times need triggers of several kinds. */
export function startsOf(node: N8nNode, surroundings: Surroundings): readonly N8nStart[] {
  const short = shortType(node.type)
  return short === 'scheduleTrigger' || short === 'cron' || short === 'interval'
    ? schedulesOf(node, surroundings)
    : [startOf(node, surroundings)]
}

function startOf(node: N8nNode, { only }: Surroundings): N8nStart {
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
      reason: short === 'webhook' ? webhookReason : `A form or chat starts it: post its fields to a webhook. ${newAddress}`,
      isNote: short === 'webhook',
    }
  }
  if (short === 'manualTrigger' || short === 'start') return byItself(name, 'manual')
  if (short === 'executeWorkflowTrigger') return byItself(name, 'workflow')
  if (isErrorTrigger(node)) {
    const proposal = errorProposal(name)
    return only
      ? { proposal, reason: errorReasons.definition, schedule: errorSchedule, byItself: true }
      : { proposal, reason: errorReasons.trigger }
  }
  return {
    proposal: { name, kind: 'webhook', settings: { source: short } },
    reason: `${short} listened to a service. Create a webhook trigger, and register its URL, which is another than that in n8n, with the service.`,
  }
}

const newAddress = 'Its URL is another than that in n8n: enter the new one where the old one is called.'
const webhookReason = `Becomes a trigger of kind webhook: create it after you publish, without a mapping, since the steps read \`body\`, \`headers\` and \`query\` of the request. ${newAddress}`

function byItself(name: string, kind: 'manual' | 'workflow'): N8nStart {
  return { proposal: { name, kind, settings: {} }, reason: startsByItself[kind], isNote: true, byItself: true }
}

/** One start for the times of cron, and one for each interval and each rule. */
function schedulesOf(node: N8nNode, { timeZone, only }: Surroundings): readonly N8nStart[] {
  const times = timesOf(node)
  const crons = times.flatMap((time) => (time.kind === 'cron' ? [time.cron] : []))
  const alone = only && times.length === 1
  const zone = timeZone === undefined ? {} : { timeZone }
  const proposalOf = (settings: object): TriggerProposal => ({ name: node.name, kind: 'schedule', settings: { ...settings } })
  const apart = times.flatMap((time): N8nStart[] => {
    switch (time.kind) {
      case 'cron':
        return []
      case 'every':
        return [everyOf(time, proposalOf({ every: durationOf(time) }), alone)]
      case 'rule': {
        const { rrule, start } = time
        const advice = timeZone === undefined ? ' Give it the time zone that its hours are in; without one it is UTC.' : ''
        const reason = `Becomes a trigger of kind schedule with a rule, because cron cannot say such an interval: create it after you publish. It is counted from \`start\`, which the export does not state: set the day from which n8n counted.${advice}`
        return [{ proposal: proposalOf({ rrule, start, ...zone }), reason }]
      }
      case 'unread':
        return [{ proposal: proposalOf({ crons: [], ...zone }), reason: 'A time of it could not be read. Set the schedule.' }]
    }
  })
  if (times.length === 0) return [{ proposal: proposalOf({ crons, ...zone }), reason: 'The interval could not be read. Set the schedule.' }]
  return crons.length === 0 ? apart : [cronsOf(proposalOf({ crons, ...zone }), crons, { timeZone, only: alone }), ...apart]
}

type Interval = Extract<N8nTime, { readonly kind: 'every' }>

function durationOf({ unit, count }: Interval): string {
  return `PT${count}${unit.slice(0, 1).toUpperCase()}`
}

function everyOf({ unit, count }: Interval, proposal: TriggerProposal, alone: boolean): N8nStart {
  const place = alone ? startsByItself.schedule : 'Becomes a trigger of kind schedule: create it after you publish.'
  const found = alone ? { proposal, schedule: { every: { [unit]: count } }, byItself: true } : { proposal }
  if (unit === 'seconds') return { ...found, reason: place, isNote: true }
  return { ...found, reason: `${place} It starts every ${count} ${unit}, counted from then on, and not at certain minutes of the hour.` }
}

function cronsOf(proposal: TriggerProposal, crons: readonly string[], { timeZone, only }: Surroundings): N8nStart {
  const [cron = ''] = crons
  const inUtc = crons.every((one) => everyMinutes.test(one)) || (timeZone !== undefined && isUtc(timeZone))
  const zone = inUtc || timeZone === undefined ? 'UTC' : timeZone
  // The cron of a definition has no seconds.
  const inDefinition = only && cron.split(' ').length === 5
  const place = inDefinition
    ? `${startsByItself.schedule} Its times are in ${zone}.`
    : 'Becomes a trigger of kind schedule: create it after you publish.'
  const found = inDefinition
    ? {
        proposal: { ...proposal, settings: { crons, timeZone: zone } },
        schedule: { cron },
        ...(zone === 'UTC' ? {} : { timeZone: zone }),
        byItself: true,
      }
    : { proposal }
  if (inUtc || timeZone !== undefined) return { ...found, reason: place, isNote: true }
  const advice = inDefinition
    ? 'If its hours are those of another time zone, name it in `document.metadata.timeZone`.'
    : 'Give it the time zone that its hours are in; without one it is UTC.'
  return { ...found, reason: `${place} The export names no time zone; in n8n that of its server applied. ${advice}` }
}

/** Is due at the same moments in every time zone: offsets are multiples of 15 minutes. */
const everyMinutes = /^(?:[\d*,/-]+ )?\*(?:\/(?:1|3|5|15))? \* \* \* \*$/

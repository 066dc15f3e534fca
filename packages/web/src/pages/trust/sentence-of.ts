import type { groups, JsonValue, Reply } from '@millrace/contract'
import { isObject } from '#src/document/task-json.ts'
import type { auditWords } from '#src/messages/en/audit-words.ts'

type Found = Reply<(typeof groups)['audit']['query']>
/** An entry of the log. */
export type Entry = Found['data'][number]
/** Names by id, as the log is read. */
export type Names = Found['names']
export type Words = typeof auditWords
type Described = Pick<Entry, 'actor' | 'event' | 'target' | 'details'>
type Texts = Readonly<Record<string, string | undefined>>

/** Names in which those of users who were removed say so. */
export function markFormer(names: Names, former: readonly string[], mark: (name: string) => string): Names {
  return { ...names, ...Object.fromEntries(former.map((id) => [id, mark(names[id] ?? id)])) }
}

/** The names by which an entry is read: of a thing that was renamed since, the name then and today's. */
export function namesAt({ earlierNames = {} }: Pick<Entry, 'earlierNames'>, names: Names, words: Words): Names {
  const renamed = Object.entries(earlierNames).map(([id, then]) => {
    const now = names[id]
    return [id, now === undefined ? then : words.renamed.replace('{then}', () => then).replace('{now}', () => now)]
  })
  return { ...names, ...Object.fromEntries(renamed) }
}

/** An entry as a sentence with places in braces, and what stands there. */
export function sentenceOf(entry: Described, names: Names, words: Words) {
  const { event, details } = entry
  const [kind = '', action = ''] = event.split('.')
  const verb = (words.verbs as Texts)[action]
  const noun = (words.nouns as Texts)[kind]
  const parts: Readonly<Record<string, string>> = { ...partsOf(entry, names, words), verb: verb ?? '', noun: noun ?? '' }
  const sentences: Texts = words.events
  const whole = sentences[isPublishing(event, details) ? 'workflow.published' : `${event}/${resultIn(details)}`] ?? sentences[event]
  const pattern = whole ?? (verb === undefined || noun === undefined ? words.other : words.sentence)
  // A thing without a name, such as one that was deleted, leaves the noun.
  const known = pattern.replaceAll(/\[(?<part>[^\]]*)\]/g, (_, part: string) =>
    placesOf(part).every((name) => parts[name] !== '') ? part : '',
  )
  return { pattern: parts['what'] === '' ? known.replace(' {what}', '') : known, parts }
}

const placesOf = (pattern: string): readonly string[] =>
  [...pattern.matchAll(/\{(?<name>\w+)\}/g)].map(({ groups: found }) => found?.['name'] ?? '')

/** What the places of a sentence stand for; empty if it is not known. */
function partsOf(entry: Described, names: Names, words: Words): Readonly<Record<string, string>> {
  const { details } = entry
  const text = (member: string) => textIn(details, member) ?? ''
  const word = (catalogue: Texts, member: string) => catalogue[text(member)] ?? ''
  const workflow = workflowName(entry, names)
  return {
    who: whoDid(entry, names, words),
    what: targetName(entry, names, words) ?? '',
    workflow: workflow ?? words.aWorkflow,
    asking: workflow ?? '',
    state: word(words.states, 'state'),
    draft: numberIn(details, 'version').startsWith('-') ? words.draftTested : '',
    open: text('state') === 'open' ? words.stillOpen : '',
    reason: shortened(text('reason')),
    chosen: chosenIn(details),
    to: personName(text('to'), names, words),
    from: personName(text('from'), names, words),
    asked: [...textsIn(details, 'asked'), ...textsIn(details, 'notified')].map((one) => personName(one, names, words)).join(', '),
    role: word(words.roles, 'role'),
    protocol: word(words.protocols, 'protocol') || word(words.protocols, 'provider'),
    proposal: word(words.proposals, 'kind'),
    issuer: text('issuer'),
    purpose: text('purpose'),
    tier: text('tier'),
    date: text('date'),
    key: text('key'),
    period: text('from') === '' ? '' : `${minuteOf(text('from'))} – ${minuteOf(text('to'))}`,
    version: numberIn(details, 'version'),
    rows: numberIn(details, 'rows'),
    runs: numberIn(details, 'executions'),
    replayed: numberIn(details, 'replayed'),
    stars: numberIn(details, 'stars'),
  }
}

/** Whether a change of a workflow published a version. */
function isPublishing(event: string, details: JsonValue): boolean {
  if (event === 'workflow.created' || event === 'workflow.imported') return numberIn(details, 'version') !== ''
  const changes = isObject(details) ? details['changes'] : undefined
  return event === 'workflow.updated' && isObject(changes) && Object.hasOwn(changes, 'version')
}

/** What came of it, where that is a part of the details: a decision, a state, or whether something is on or off. */
function resultIn(details: JsonValue): string {
  if (!isObject(details)) return ''
  const { decision, state, enabled, required, allowed } = details
  const text = decision ?? state
  if (typeof text === 'string') return text
  const flag = enabled ?? required ?? allowed
  return typeof flag === 'boolean' ? (flag ? 'on' : 'off') : ''
}

/** Who did it; a person without an account who followed a link of a mail by the address. */
function whoDid({ actor, details }: Described, names: Names, words: Words): string {
  const email = textIn(details, 'email')
  return actor === 'anonymous' && email !== undefined ? email : actorName(actor, names, words)
}

/** Who did it, by name; by id where it has none any more. */
export function actorName(actor: string, names: Names, words: Words): string {
  const [kind = '', id = ''] = actor.split(/:(?<rest>.*)/s)
  if (kind === 'system') return words.system
  if (kind === 'anonymous') return words.someone
  if (kind === 'operator') return words.operator
  if (kind === 'scim') return words.directory
  return names[id] ?? actor
}

/** An approver: a user by name, a role in words, another one by the address; by id where a user has no name any more. */
function personName(text: string, names: Names, words: Words): string {
  const roles: Texts = words.roles
  return names[text] ?? (text.startsWith('role:') ? roles[text.slice('role:'.length)] : undefined) ?? text
}

/** Members of details that name what it was done to, if that has no name of its own any more or is no thing of the account. */
const naming = ['name', 'domain', 'client', 'email', 'url', 'number', 'code', 'tier'] as const

/** On what it was done, by name; undefined without a name. */
export function targetName(entry: Pick<Entry, 'target' | 'details'>, names: Names, words: Words): string | undefined {
  const { target, details } = entry
  if (target?.startsWith('exec_') === true) return words.runOf.replace('{workflow}', workflowName(entry, names) ?? words.aWorkflow)
  // One who was removed is named as the entry has it: it says itself that they were.
  const named = target === null ? undefined : ((target.startsWith('usr_') ? textIn(details, 'name') : undefined) ?? names[target])
  if (target?.startsWith('apr_') === true) return named ?? words.anApproval
  const inDetails = naming.map((member) => textIn(details, member)).find((text) => text !== undefined)
  return named ?? inDetails ?? (target === null || isId(target) ? undefined : target)
}

const isId = (text: string): boolean => /^[a-z]+_[0-9a-z]+$/.test(text)

/** The run that it was done to, or in which. */
export function runOf({ target, details }: Pick<Entry, 'target' | 'details'>): string | undefined {
  const run = target?.startsWith('exec_') === true ? target : (textIn(details, 'executionId') ?? textIn(details, 'replayedAs'))
  return run?.startsWith('exec_') === true ? run : undefined
}

/** The workflow that an entry names beside what it was done to. */
export function workflowIn(details: JsonValue): string | undefined {
  const id = textIn(details, 'workflow') ?? textIn(details, 'workflowId')
  return id?.startsWith('wf_') === true ? id : undefined
}

function workflowName(entry: Pick<Entry, 'target' | 'details'>, names: Names): string | undefined {
  return names[workflowIn(entry.details) ?? ''] ?? names[runOf(entry) ?? '']
}

const reasonMax = 160

const shortened = (text: string): string => (text.length > reasonMax ? `${text.slice(0, reasonMax)}…` : text)

/** The options that an approver chose: "choice: warehouse". */
export function chosenIn(details: JsonValue): string {
  return pairsIn(details, 'chosen')
}

/** A member of the details that is names with values, as text. */
export function pairsIn(details: JsonValue, member: string): string {
  const pairs = isObject(details) ? details[member] : undefined
  if (!isObject(pairs)) return ''
  return Object.entries(pairs)
    .flatMap(([name, option]) => (typeof option === 'string' || typeof option === 'number' ? [`${name}: ${option}`] : []))
    .join(', ')
}

/** A time in UTC; the day alone at its begin. */
function minuteOf(iso: string): string {
  return iso.slice(11, 16) === '00:00' ? iso.slice(0, 10) : `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`
}

function numberIn(details: JsonValue, member: string): string {
  const value = isObject(details) ? details[member] : undefined
  return typeof value === 'number' ? String(value) : ''
}

function textsIn(details: JsonValue, member: string): readonly string[] {
  const values = isObject(details) ? details[member] : undefined
  return Array.isArray(values) ? values.filter((value) => typeof value === 'string') : []
}

export function textIn(details: JsonValue, member: string): string | undefined {
  const value = isObject(details) ? details[member] : undefined
  return typeof value === 'string' ? value : undefined
}

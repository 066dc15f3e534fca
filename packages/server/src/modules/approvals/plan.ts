import { type Role, roles } from '@millrace/contract'
import { durationMs } from '@millrace/dsl'
import { itemsOf, type Json, type JsonObject, membersOf, textOf } from '@millrace/engine'
import { fromTypeId } from '#platform/ids.ts'
import { type Mailbox, parseMailbox } from '#platform/mail/mailbox.ts'
import type { Approval, Decision } from './model.ts'

/** One of those who are asked. */
export interface Asked {
  /** `mail:ada@example.com`, `user:<uuid>`, `role:admin`. */
  readonly key: string
  readonly kind: 'mail' | 'user' | 'role'
  /** As it was written. */
  readonly label: string
  readonly name: string | undefined
}

/** From when on who is asked. */
export interface Step {
  readonly at: Date
  /** Everybody who is asked from then on. */
  readonly asked: readonly Asked[]
  /** Those of them who were not before. */
  readonly added: readonly Asked[]
  /** Who is told. */
  readonly notify: readonly Mailbox[]
}

/** The arguments of `call: approve`, with times in place of durations. */
export interface Plan {
  readonly title: string
  readonly description: string | undefined
  readonly details: Json | undefined
  readonly required: number | 'all'
  /** This many rejections end it; `undefined`: only when it cannot be approved any more. */
  readonly vetoAfter: number | undefined
  readonly reasonFor: ReadonlySet<Decision>
  readonly form: JsonObject | undefined
  readonly deadlineAt: Date | undefined
  readonly onDeadline: Decision | 'fail'
  readonly excludeStarter: boolean
  /** In the order of time; the first is the beginning. */
  readonly steps: readonly [Step, ...Step[]]
}

/** Reads what was asked; the engine has held the arguments against the schema of the manifest. */
export function planOf({ arguments: given, openedAt }: Pick<Approval, 'arguments' | 'openedAt'>): Plan {
  const args = membersOf(given)
  const at = (duration: Json | undefined) => new Date(openedAt.getTime() + (durationMs(duration ?? null) ?? 0))
  const deadlineAt = args['deadline'] === undefined ? undefined : at(args['deadline'])
  return {
    title: textOf(args['title']) ?? '',
    description: textOf(args['description']),
    details: args['details'],
    required: args['required'] === 'all' ? 'all' : (whole(args['required']) ?? 1),
    vetoAfter: args['veto'] === false ? undefined : (whole(args['veto']) ?? 1),
    reasonFor: new Set(reasons[textOf(args['reason']) ?? ''] ?? ['reject']),
    form: args['form'] === undefined ? undefined : membersOf(args['form']),
    deadlineAt,
    onDeadline: deadlineActions.find((action) => action === args['onDeadline']) ?? 'reject',
    excludeStarter: args['excludeStarter'] !== false,
    steps: stepsOf(args, openedAt, at, deadlineAt),
  }
}

/** Who is asked at a time. */
export function stepAt({ steps }: Plan, now: Date): { readonly step: Step; readonly last: boolean } {
  const step = steps.findLast(({ at }) => at <= now) ?? steps[0]
  return { step, last: step === steps.at(-1) }
}

/** When there is something to be done, once `taken` steps have been. */
export function nextDueAt({ steps, deadlineAt }: Plan, taken: number): Date | undefined {
  const next = steps[taken]?.at
  return next !== undefined && (deadlineAt === undefined || next < deadlineAt) ? next : deadlineAt
}

const deadlineActions = ['reject', 'approve', 'fail'] as const

const reasons: Readonly<Record<string, readonly Decision[]>> = {
  reject: ['reject'],
  approve: ['approve'],
  both: ['approve', 'reject'],
  none: [],
}

function stepsOf(
  args: JsonObject,
  openedAt: Date,
  at: (duration: Json | undefined) => Date,
  deadlineAt: Date | undefined,
): readonly [Step, ...Step[]] {
  const first = distinct(itemsOf(args['approvers']).map(askedOf))
  const steps: [Step, ...Step[]] = [{ at: openedAt, asked: first, added: first, notify: [] }]
  const later = itemsOf(args['escalation']).map((item) => ({ item: membersOf(item), at: at(membersOf(item)['after']) }))
  let before = first
  for (const { item, at: begin } of later.toSorted((one, other) => one.at.getTime() - other.at.getTime())) {
    if (deadlineAt !== undefined && begin >= deadlineAt) break
    const named = distinct(itemsOf(item['approvers']).map(askedOf))
    const asked = item['replace'] === true && named.length > 0 ? named : distinct([...before, ...named])
    const added = named.filter(({ key }) => !before.some((other) => other.key === key))
    const notify = itemsOf(item['notify']).flatMap((address) => parseMailbox(textOf(address) ?? '') ?? [])
    steps.push({ at: begin, asked, added, notify })
    before = asked
  }
  return steps
}

function askedOf(given: Json): Asked {
  if (typeof given !== 'string') {
    const role = textOf(membersOf(given)['role']) ?? ''
    return { key: `role:${role}`, kind: 'role', label: role, name: undefined }
  }
  const userId = fromTypeId('usr', given)
  if (userId !== undefined) return { key: `user:${userId}`, kind: 'user', label: given, name: undefined }
  const mailbox = parseMailbox(given)
  // What fits the schema and is no address after all stays visible as what it is, and nobody.
  const address = mailKeyOf(mailbox?.address ?? given)
  return { key: `mail:${address}`, kind: 'mail', label: mailbox?.address ?? given, name: mailbox?.name }
}

/** Addresses are compared as those of users are kept. */
export function mailKeyOf(address: string): string {
  return address.trim().normalize('NFKC').toLowerCase()
}

/** The role of an entry that asks whoever has it. */
export function roleOf({ kind, label }: Asked): Role | undefined {
  return kind === 'role' ? roles.find((role) => role === label) : undefined
}

function distinct(all: readonly Asked[]): readonly Asked[] {
  return [...new Map(all.map((asked) => [asked.key, asked])).values()]
}

function whole(value: Json | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined
}

import { type Role, roles } from '@millrace/contract'
import { durationMs } from '@millrace/dsl'
import { itemsOf, type Json, type JsonObject, membersOf, textOf } from '@millrace/engine'
import { fromTypeId, toTypeId } from '#platform/ids.ts'
import { type Mailbox, parseMailbox } from '#platform/mail/mailbox.ts'
import type { Approval, Choice, Reassignment } from './model.ts'

/** An entry of `approvers`: a person, or all users with a role. */
export interface Approver {
  /** `mail:ada@example.com`, `user:<uuid>`, `role:admin`. */
  readonly key: string
  readonly kind: 'mail' | 'user' | 'role'
  /** As written in the workflow. */
  readonly label: string
  readonly name: string | undefined
}

/** The approvers from a time on: the first stage, or an escalation. */
export interface Stage {
  readonly at: Date
  /** All approvers of the stage. */
  readonly approvers: readonly Approver[]
  /** The approvers that the previous stage did not have. */
  readonly newApprovers: readonly Approver[]
  /** Recipients of a mail without a link. */
  readonly notify: readonly Mailbox[]
}

/** The arguments of `call: approve`, with times in place of durations. */
export interface Plan {
  readonly title: string
  readonly description: string | undefined
  readonly details: Json | undefined
  readonly required: number | 'all'
  /** So many rejections are a verdict; `undefined` if only the impossibility of an approval is. */
  readonly vetoAfter: number | undefined
  readonly reasonFor: ReadonlySet<Choice>
  readonly form: JsonObject | undefined
  readonly deadlineAt: Date | undefined
  readonly onDeadline: Choice | 'fail'
  readonly excludeStarter: boolean
  /** In chronological order; the first begins when the approval opens. */
  readonly stages: readonly [Stage, ...Stage[]]
}

/** Reads the arguments of an approval; the engine has validated them against the schema of the manifest. */
export function planOf({ arguments: given, openedAt, reassigned }: Pick<Approval, 'arguments' | 'openedAt' | 'reassigned'>): Plan {
  const args = membersOf(given)
  const at = (duration: Json | undefined) => new Date(openedAt.getTime() + (durationMs(duration ?? null) ?? 0))
  const deadlineAt = args['deadline'] === undefined ? undefined : at(args['deadline'])
  return {
    title: textOf(args['title']) ?? '',
    description: textOf(args['description']),
    details: args['details'],
    required: args['required'] === 'all' ? 'all' : (numberOf(args['required']) ?? 1),
    vetoAfter: args['veto'] === false ? undefined : (numberOf(args['veto']) ?? 1),
    reasonFor: new Set(reasons[textOf(args['reason']) ?? ''] ?? ['reject']),
    form: args['form'] === undefined ? undefined : membersOf(args['form']),
    deadlineAt,
    onDeadline: onDeadlineOf(args['onDeadline']),
    excludeStarter: args['excludeStarter'] !== false,
    stages: reassignedStages(stagesOf(args, openedAt, at, deadlineAt), reassigned ?? []),
  }
}

/** The stage at a time. */
export function stageAt({ stages }: Plan, now: Date): Stage {
  return stages.findLast(({ at }) => at <= now) ?? stages[0]
}

/** A stage and those that follow it. */
export function stagesFrom({ stages }: Plan, first: Stage): readonly Stage[] {
  return stages.slice(stages.indexOf(first))
}

/** When the next stage begins or the deadline passes, after `taken` stages have begun. */
export function nextDueAt({ stages, deadlineAt }: Plan, taken: number): Date | undefined {
  const next = stages[taken]?.at
  return next !== undefined && (deadlineAt === undefined || next < deadlineAt) ? next : deadlineAt
}

const deadlineActions = ['reject', 'approve', 'fail'] as const

/** What follows a deadline, by the argument of that name. */
export const onDeadlineOf = (given: unknown): Plan['onDeadline'] => deadlineActions.find((action) => action === given) ?? 'reject'

const reasons: Readonly<Record<string, readonly Choice[]>> = {
  reject: ['reject'],
  approve: ['approve'],
  both: ['approve', 'reject'],
  none: [],
}

function stagesOf(
  args: JsonObject,
  openedAt: Date,
  at: (duration: Json | undefined) => Date,
  deadlineAt: Date | undefined,
): readonly [Stage, ...Stage[]] {
  const first = distinct(itemsOf(args['approvers']).map(approverOf))
  const stages: [Stage, ...Stage[]] = [{ at: openedAt, approvers: first, newApprovers: first, notify: [] }]
  const later = itemsOf(args['escalation']).map((item) => ({ item: membersOf(item), at: at(membersOf(item)['after']) }))
  let previous = first
  for (const { item, at: begin } of later.toSorted((a, b) => a.at.getTime() - b.at.getTime())) {
    if (deadlineAt !== undefined && begin >= deadlineAt) break
    const named = distinct(itemsOf(item['approvers']).map(approverOf))
    const approvers = item['replace'] === true && named.length > 0 ? named : distinct([...previous, ...named])
    const newApprovers = named.filter(({ key }) => !previous.some((approver) => approver.key === key))
    const notify = itemsOf(item['notify']).flatMap((address) => parseMailbox(textOf(address) ?? '') ?? [])
    stages.push({ at: begin, approvers, newApprovers, notify })
    previous = approvers
  }
  return stages
}

/** The stages with the users who decide in place of approvers. */
function reassignedStages(stages: readonly [Stage, ...Stage[]], reassigned: readonly Reassignment[]): readonly [Stage, ...Stage[]] {
  const placed = (approvers: readonly Approver[]) =>
    distinct(approvers.map((approver) => reassigned.reduce((one, { from, to }) => (one.key === from ? approverOfUser(to) : one), approver)))
  const [first, ...later] = stages.map((stage) => ({
    ...stage,
    approvers: placed(stage.approvers),
    newApprovers: placed(stage.newApprovers),
  }))
  return first === undefined ? stages : [first, ...later]
}

/** A user as an approver. */
function approverOfUser(userId: string): Approver {
  return { key: `user:${userId}`, kind: 'user', label: toTypeId('usr', userId), name: undefined }
}

function approverOf(given: Json): Approver {
  if (typeof given !== 'string') {
    const role = textOf(membersOf(given)['role']) ?? ''
    return { key: `role:${role}`, kind: 'role', label: role, name: undefined }
  }
  const userId = fromTypeId('usr', given)
  if (userId !== undefined) return { key: `user:${userId}`, kind: 'user', label: given, name: undefined }
  const mailbox = parseMailbox(given)
  // An entry that is not an address is kept as text and matches no person.
  const address = mailKeyOf(mailbox?.address ?? given)
  return { key: `mail:${address}`, kind: 'mail', label: mailbox?.address ?? given, name: mailbox?.name }
}

/** The canonical form of an address, as the table of users has it. */
export function mailKeyOf(address: string): string {
  return address.trim().normalize('NFKC').toLowerCase()
}

/** An approver as the reply of the approval has it. */
export function entryOf({ kind, label }: Approver): string {
  return kind === 'role' ? `role:${label}` : label
}

/** The role of an approver that is a role. */
export function roleOf({ kind, label }: Approver): Role | undefined {
  return kind === 'role' ? roles.find((role) => role === label) : undefined
}

function distinct(approvers: readonly Approver[]): readonly Approver[] {
  return [...new Map(approvers.map((approver) => [approver.key, approver])).values()]
}

function numberOf(value: Json | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined
}

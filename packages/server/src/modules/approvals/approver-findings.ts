import { editDistance } from '@millrace/dsl'
import { itemsOf, type Json, type JsonObject, membersOf } from '@millrace/engine'
import { findRemovedUsers } from '#modules/audit/index.ts'
import { fromTypeId } from '#platform/ids.ts'
import { domainOf, type Mailbox, parseMailbox } from '#platform/mail/mailbox.ts'
import { mailKeyOf } from './approval-plan.ts'
import type { Executor } from './approval-store.ts'
import { findKnown, listAddresses } from './people-store.ts'

export interface ApproverFinding {
  readonly code: 'unknown_approver' | 'doubtful_approver' | 'outside_approver' | 'missing_mail'
  readonly message: string
  readonly hint: string
  /** JSON Pointer inside of the arguments, such as `/approvers/0`. */
  readonly pointer: string
}

/** An approver that is written as text. */
interface Entry {
  readonly text: string
  readonly pointer: string
}

/**
 * Approvers that are written as text and are no user of the account. One that is an id decides nothing. One that is an address decides by the link in a mail, so
 * that a mistyped address, or one of a person who has left, lets another person decide than is meant. Those that an expression makes are not known here.
 */
export async function approverFindings(
  executor: Executor,
  accountId: string,
  args: JsonObject,
  { sendsMail }: { readonly sendsMail: boolean },
): Promise<readonly ApproverFinding[]> {
  const entries = entriesOf(args)
  const unsent = sendsMail ? [] : textsOfEscalation(args, 'notify').map(({ text, pointer }) => unreminded(text, pointer))
  if (entries.length === 0) return unsent
  const known = await findKnown(executor, accountId, {
    emails: entries.flatMap(({ text }) => addressOf(text)?.address ?? []),
    ids: entries.flatMap(({ text }) => fromTypeId('usr', text) ?? []),
  })
  const [byId, byAddress] = [entries.filter(({ text }) => isId(text)), entries.filter(({ text }) => !isId(text))]
  const lost = byId.filter(({ text }) => !known.ids.has(fromTypeId('usr', text) ?? text))
  const strange = byAddress.filter(({ text }) => !known.emails.has(addressOf(text)?.address ?? text))
  return [
    ...(await lostUsers(executor, accountId, lost)),
    ...(strange.length === 0 ? [] : await unknownAddresses(executor, accountId, strange, { sendsMail })),
    ...unsent,
  ]
}

const isId = (text: string) => fromTypeId('usr', text) !== undefined

/** The mailbox of an approver, with the address as the table of users has it. */
function addressOf(text: string): Mailbox | undefined {
  const mailbox = parseMailbox(text)
  return mailbox && { ...mailbox, address: mailKeyOf(mailbox.address) }
}

/** Ids of users who were removed, or never were. */
async function lostUsers(executor: Executor, accountId: string, entries: readonly Entry[]): Promise<readonly ApproverFinding[]> {
  const removed = await findRemovedUsers(
    executor,
    accountId,
    entries.map(({ text }) => text),
  )
  return entries.map(({ text, pointer }) => {
    const user = removed.get(text)
    const message =
      user === undefined
        ? `This account has no user ${text}: the user was removed or never existed, so that no person decides here.`
        : `${user.name ?? text} was removed from this account on ${user.at.toISOString().slice(0, 10)}, and cannot decide any more.`
    return { code: 'unknown_approver', message, hint: 'Name another person.', pointer }
  })
}

/** Addresses that are no user's. */
async function unknownAddresses(
  executor: Executor,
  accountId: string,
  entries: readonly Entry[],
  { sendsMail }: { readonly sendsMail: boolean },
): Promise<readonly ApproverFinding[]> {
  const { addresses, isComplete } = await listAddresses(executor, accountId)
  const domains = new Set(addresses.map((address) => address.slice(address.lastIndexOf('@') + 1)))
  return entries.flatMap(({ text, pointer }) => {
    const mailbox = addressOf(text)
    // The schema of the arguments refuses what is no address.
    if (mailbox === undefined) return []
    const { address } = mailbox
    const near = addresses.find((one) => isNear(one, address))
    if (near !== undefined) return [doubtful(address, near, pointer, sendsMail ? byLink : withoutMail)]
    if (!sendsMail) return [unasked(address, pointer)]
    if (!domainOf(mailbox).includes('.') && !domains.has(domainOf(mailbox))) return [undotted(address, domainOf(mailbox), pointer)]
    return [isComplete && !domains.has(domainOf(mailbox)) ? outsider(address, domainOf(mailbox), pointer) : leaver(address, pointer)]
  })
}

/** The people whom an approval with these arguments names: ids of users, and addresses as the table of users has them. */
export function approversNamed(args: JsonObject): ReadonlySet<string> {
  return new Set(entriesOf(args).map(({ text }) => (isId(text) ? text : (addressOf(text)?.address ?? text))))
}

/** The approvers that are written as text. */
function entriesOf(args: JsonObject): readonly Entry[] {
  return [...textsIn(args['approvers'], '/approvers'), ...textsOfEscalation(args, 'approvers')]
}

function textsOfEscalation(args: JsonObject, member: 'approvers' | 'notify'): readonly Entry[] {
  return itemsOf(args['escalation']).flatMap((item, index) => textsIn(membersOf(item)[member], `/escalation/${index}/${member}`))
}

/** The entries of a list that are written as text, and not as an expression. */
function textsIn(list: Json | undefined, pointer: string): readonly Entry[] {
  return itemsOf(list).flatMap((entry, index) =>
    typeof entry === 'string' && !entry.includes('${') ? [{ text: entry, pointer: `${pointer}/${index}` }] : [],
  )
}

/** Whether one address is probably the other one mistyped: in its name or in its domain. */
function isNear(one: string, other: string): boolean {
  const [first, second] = [one, other].map((address) => {
    const at = address.lastIndexOf('@')
    return { name: address.slice(0, at), domain: address.slice(at + 1) }
  })
  if (first === undefined || second === undefined) return false
  const allowed = Math.max(1, Math.floor(first.name.length / 4))
  const names = editDistance(first.name, second.name, allowed + 1)
  const domains = editDistance(first.domain, second.domain, 3)
  return (domains === 0 && names <= allowed) || (names === 0 && domains <= 2) || (names <= 1 && domains <= 1)
}

const byLink = 'Everyone with the link in the mail to this address can decide.'
const withoutMail = 'This installation sends no mail, so that this person cannot decide.'

function doubtful(address: string, near: string, pointer: string, consequence: string): ApproverFinding {
  return {
    code: 'doubtful_approver',
    message: `${address} is no user of this account. ${consequence}`,
    hint: `Did you mean ${near}?`,
    pointer,
  }
}

/** A name without a dot may be one of a network of its own, so it is not refused. */
function undotted(address: string, domain: string, pointer: string): ApproverFinding {
  const message = `${address} is no address of the internet, because the domain ${domain} has no dot: the mail arrives only if your own network has this name.`
  return { code: 'doubtful_approver', message, hint: 'Write the whole domain, as in name@example.com.', pointer }
}

function outsider(address: string, domain: string, pointer: string): ApproverFinding {
  const message = `${address} is outside of this account, and no user has an address at ${domain}. ${byLink}`
  return { code: 'outside_approver', message, hint: 'Check the spelling. If it is meant, nothing has to be changed.', pointer }
}

function leaver(address: string, pointer: string): ApproverFinding {
  const message = `${address} is no user of this account: this person has left it, or was not invited. ${byLink}`
  const hint = 'Name another person, or invite this one. If a person from outside is meant, nothing has to be changed.'
  return { code: 'unknown_approver', message, hint, pointer }
}

function unasked(address: string, pointer: string): ApproverFinding {
  const message = `${address} is no user of this account. ${withoutMail}`
  const hint = 'Invite them as a user, or ask the operator to set MILLRACE_SMTP_URL and MILLRACE_MAIL_FROM.'
  return { code: 'missing_mail', message, hint, pointer }
}

function unreminded(address: string, pointer: string): ApproverFinding {
  const message = `${address} gets no reminder, since this installation sends no mail.`
  return { code: 'missing_mail', message, hint: 'Ask the operator to set MILLRACE_SMTP_URL and MILLRACE_MAIL_FROM.', pointer }
}

import { editDistance } from '@millrace/dsl'
import { itemsOf, type Json, type JsonObject, membersOf } from '@millrace/engine'
import { fromTypeId } from '#platform/ids.ts'
import { domainOf, parseMailbox } from '#platform/mail/mailbox.ts'
import type { Executor } from './approval-store.ts'
import { mailKeyOf } from './approval-plan.ts'
import { listAddresses } from './people-store.ts'

export interface ApproverFinding {
  readonly code: 'doubtful_approver' | 'outside_approver' | 'missing_mail'
  readonly message: string
  readonly hint: string
  /** JSON Pointer inside of the arguments, such as `/approvers/0`. */
  readonly pointer: string
}

/**
 * Approvers that are written as an address and are no user of the account: they decide by the link in a mail, so that a mistyped address lets another
 * person decide. Those that an expression makes are not known here.
 */
export async function approverFindings(
  executor: Executor,
  accountId: string,
  args: JsonObject,
  { sendsMail }: { readonly sendsMail: boolean },
): Promise<readonly ApproverFinding[]> {
  const entries = entriesOf(args)
  if (entries.length === 0) return []
  const { addresses, isComplete } = await listAddresses(executor, accountId)
  const known = new Set(addresses)
  const domains = new Set(addresses.map((address) => address.slice(address.lastIndexOf('@') + 1)))
  return entries.flatMap(({ text, pointer }) => {
    const mailbox = parseMailbox(text)
    // The schema of the arguments refuses what is no address.
    if (mailbox === undefined) return []
    const address = mailKeyOf(mailbox.address)
    if (known.has(address)) return []
    const near = addresses.find((one) => isNear(one, address))
    if (near !== undefined) return [doubtful(address, near, pointer)]
    const outside = isComplete && !domains.has(domainOf(mailbox)) ? [outsider(address, domainOf(mailbox), pointer)] : []
    return sendsMail ? outside : [unasked(address, pointer)]
  })
}

/** The approvers that are written as text, but for ids of users. */
function entriesOf(args: JsonObject): readonly { readonly text: string; readonly pointer: string }[] {
  const lists: readonly (readonly [Json | undefined, string])[] = [
    [args['approvers'], '/approvers'],
    ...itemsOf(args['escalation']).map((item, index) => [membersOf(item)['approvers'], `/escalation/${index}/approvers`] as const),
  ]
  return lists.flatMap(([list, pointer]) =>
    itemsOf(list).flatMap((entry, index) =>
      typeof entry === 'string' && !entry.includes('${') && fromTypeId('usr', entry) === undefined
        ? [{ text: entry, pointer: `${pointer}/${index}` }]
        : [],
    ),
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

function doubtful(address: string, near: string, pointer: string): ApproverFinding {
  return { code: 'doubtful_approver', message: `${address} is no user of this account. ${byLink}`, hint: `Did you mean ${near}?`, pointer }
}

function outsider(address: string, domain: string, pointer: string): ApproverFinding {
  const message = `${address} is outside of this account, and no user has an address at ${domain}. ${byLink}`
  return { code: 'outside_approver', message, hint: 'Check the spelling. If it is meant, nothing has to be changed.', pointer }
}

function unasked(address: string, pointer: string): ApproverFinding {
  const message = `${address} is no user of this account, and this installation sends no mail, so that this person cannot decide.`
  const hint = 'Invite them as a user, or ask the operator to set MILLRACE_SMTP_URL and MILLRACE_MAIL_FROM.'
  return { code: 'missing_mail', message, hint, pointer }
}

import { Fault } from '@millrace/contract'
import type { Kysely } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import type { Mail } from '#platform/mail/mail-job.ts'
import { confirmMail, salesMail } from './form-mails.ts'
import {
  type LeadFilter,
  findRecent,
  foldLead,
  insertLead,
  listLeads,
  lockSender,
  renewSubscription,
  spendProof,
  sweepLeads,
} from './lead-store.ts'
import { type Consent, foldMs, type Lead, type LeadMessage, messagesMax, type Submission } from './model.ts'
import type { NewsletterLinksOf } from './newsletter/newsletter-links.ts'
import type { ProofOfWork, Solved } from './proof-of-work.ts'

export interface PublicFormsDeps {
  readonly db: Kysely<Rows>
  readonly mail: Mail
  readonly proofs: ProofOfWork
  /** Where requests to the sales team go; `undefined` to keep them in the list only. */
  readonly salesAddress: string | undefined
  readonly linksOf: NewsletterLinksOf
  readonly now: () => Date
  readonly newId: () => string
}

/** Who sends a form. */
export interface Sender {
  readonly isKnown: boolean
  /** The trap of the form was filled in. */
  readonly isTrapped: boolean
  readonly proof: { readonly challenge: string; readonly nonce: string } | undefined
}

export type PublicForms = ReturnType<typeof createPublicForms>

/** A mail to one address at most this often, so that the form cannot be used to flood a mailbox. */
const mailPauseMs = 10 * 60 * 1000
const dayMs = 24 * 60 * 60 * 1000
export const confirmationMs = 7 * dayMs
const keptMs = 730 * dayMs
const sweepMax = 1_000
const exportMax = 5_000

/** Receives public forms. */
export function createPublicForms(deps: PublicFormsDeps) {
  const { db, mail, proofs, now } = deps

  function prove({ isKnown, proof }: Sender): Solved | undefined {
    if (isKnown || proofs.bits === 0) return undefined
    const solved = proof === undefined ? undefined : proofs.check(proof)
    if (solved !== undefined) return solved
    throw proofRequired(
      proofs,
      proof === undefined ? undefined : 'The proof is wrong or has expired. Solve the `challenge` of this response.',
    )
  }

  async function within(solved: Solved | undefined, work: (tx: Kysely<Rows>) => Promise<void>): Promise<void> {
    await mail.prepare()
    await db.transaction().execute(async (tx) => {
      if (solved !== undefined && !(await spendProof(tx, solved)))
        throw proofRequired(proofs, 'The challenge was used already. Solve the `challenge` of this response.')
      await work(tx)
    })
  }

  return {
    challenge: () => proofs.issue(),

    /** Stores a request and brings it to the sales team. A repetition within a day is folded into the first one. */
    async submit(sender: Sender, submission: Submission, consent: Consent): Promise<void> {
      const solved = prove(sender)
      if (sender.isTrapped) return
      await within(solved, async (tx) => {
        await lockSender(tx, submission)
        const earlier = await findRecent(tx, submission, new Date(now().getTime() - foldMs))
        const isNews = earlier === undefined || isNewMessage(earlier, submission)
        if (earlier === undefined) await insertLead(tx, { id: deps.newId(), state: 'received', submission, consent })
        else await foldLead(tx, earlier.id, messagesAfter(earlier, submission, consent), consent.at)
        if (isNews && deps.salesAddress !== undefined && mail.isAvailable)
          await mail.send(tx, { accountId: undefined, to: deps.salesAddress, template: salesMail, locale: 'en', data: submission })
      })
    },

    /** Asks the owner of an address whether they want the newsletter. */
    async subscribe(sender: Sender, submission: Submission, consent: Consent): Promise<void> {
      if (!mail.isAvailable) throw new Fault('mail_unavailable')
      const solved = prove(sender)
      if (sender.isTrapped) return
      await within(solved, async (tx) => {
        await lockSender(tx, submission)
        const known = await findRecent(tx, submission, new Date(0))
        if (known !== undefined && (known.state === 'confirmed' || wasMailed(known, consent.at))) {
          return foldLead(tx, known.id, known.messages, consent.at)
        }
        const id = known?.id ?? deps.newId()
        if (known === undefined) await insertLead(tx, { id, state: 'pending', submission, consent, mailedAt: consent.at })
        else await renewSubscription(tx, id, submission, consent)
        const { email: to, locale } = submission
        await mail.send(tx, { accountId: undefined, to, template: confirmMail, locale, data: deps.linksOf(id) })
      })
    },

    list: (filter: LeadFilter, page: { readonly before: string | undefined; readonly limit: number }) => listLeads(db, filter, page),

    all: (filter: LeadFilter) => listLeads(db, filter, { before: undefined, limit: exportMax }),

    async sweep(): Promise<void> {
      const at = now().getTime()
      const [unconfirmedBefore, before] = [new Date(at - confirmationMs), new Date(at - keptMs)]
      await sweepLeads(db, { now: new Date(at), unconfirmedBefore, before, limit: sweepMax })
    },
  }
}

function proofRequired(proofs: ProofOfWork, detail: string | undefined): Fault {
  return new Fault('proof_required', { ...(detail === undefined ? {} : { detail }), extensions: { ...proofs.issue() } })
}

function wasMailed({ state, mailedAt }: Lead, at: Date): boolean {
  return state === 'pending' && mailedAt !== undefined && at.getTime() - mailedAt.getTime() < mailPauseMs
}

function isNewMessage({ messages }: Lead, { message }: Submission): boolean {
  return message !== undefined && messages.length < messagesMax && messages.every(({ text }) => text !== message)
}

function messagesAfter(earlier: Lead, submission: Submission, { at }: Consent): readonly LeadMessage[] {
  if (submission.message === undefined || !isNewMessage(earlier, submission)) return earlier.messages
  return [...earlier.messages, { at: at.toISOString(), text: submission.message }]
}

import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import type { Consent, Lead, LeadKind, LeadMessage, LeadState, Submission } from './model.ts'
import type { Solved } from './proof-of-work.ts'

type Executor = Kysely<Rows>

interface LeadRow {
  readonly id: string
  readonly kind: LeadKind
  readonly state: LeadState
  readonly email: string
  readonly name: string | null
  readonly company: string | null
  readonly phone: string | null
  readonly locale: 'en' | 'ar'
  readonly details: Readonly<Record<string, string>>
  readonly messages: readonly LeadMessage[]
  readonly submissions: number
  readonly consent_at: Date
  readonly consent_text: string
  readonly consent_ip: string
  readonly consent_user_agent: string | null
  readonly mailed_at: Date | null
  readonly confirmed_at: Date | null
  readonly unsubscribed_at: Date | null
  readonly created_at: Date
  readonly updated_at: Date
}

/** Marks a challenge as used. False if it was used before. */
export async function spendProof(tx: Executor, { id, expiresAt }: Solved): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into form_proofs (id, expires_at) values (${id}, ${expiresAt}) on conflict (id) do nothing`.execute(tx)
  return (numAffectedRows ?? 0n) > 0n
}

/** Lets submissions of one sender to one form wait for one another until the transaction ends, so that two at once make one lead. */
export async function lockSender(tx: Executor, { kind, email }: Pick<Submission, 'kind' | 'email'>): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`lead/${kind}/${email}`}, 0))`.execute(tx)
}

/** The newest lead of a sender since a time. */
export async function findRecent(
  tx: Executor,
  { kind, email }: Pick<Submission, 'kind' | 'email'>,
  since: Date,
): Promise<Lead | undefined> {
  const { rows } = await sql<LeadRow>`
    select * from leads where kind = ${kind} and email = ${email} and created_at > ${since} order by created_at desc limit 1`.execute(tx)
  return rows[0] === undefined ? undefined : leadOf(rows[0])
}

export async function insertLead(tx: Executor, { id, state, submission, consent, mailedAt }: NewLead): Promise<void> {
  const { kind, email, name, company, phone, locale, details, message } = submission
  const messages = message === undefined ? [] : [{ at: consent.at.toISOString(), text: message }]
  await sql`
    insert into leads (id, kind, state, email, name, company, phone, locale, details, messages, consent_at, consent_text, consent_ip,
      consent_user_agent, mailed_at, created_at, updated_at)
    values (${id}, ${kind}, ${state}, ${email}, ${name ?? null}, ${company ?? null}, ${phone ?? null}, ${locale}, ${JSON.stringify(details)},
      ${JSON.stringify(messages)}, ${consent.at}, ${consent.text}, ${consent.ip}, ${consent.userAgent ?? null}, ${mailedAt ?? null},
      ${consent.at}, ${consent.at})`.execute(tx)
}

export interface NewLead {
  readonly id: string
  readonly state: LeadState
  readonly submission: Submission
  readonly consent: Consent
  readonly mailedAt?: Date
}

/** Counts a repeated submission, and replaces the messages. */
export async function foldLead(tx: Executor, id: string, messages: readonly LeadMessage[], at: Date): Promise<void> {
  await sql`
    update leads set submissions = submissions + 1, messages = ${JSON.stringify(messages)}, updated_at = ${at} where id = ${id}`.execute(tx)
}

/** Asks anew for the confirmation of a newsletter. */
export async function renewSubscription(tx: Executor, id: string, { locale }: Submission, consent: Consent): Promise<void> {
  await sql`
    update leads set state = 'pending', locale = ${locale}, submissions = submissions + 1, consent_at = ${consent.at},
      consent_text = ${consent.text}, consent_ip = ${consent.ip}, consent_user_agent = ${consent.userAgent ?? null},
      mailed_at = ${consent.at}, confirmed_at = null, unsubscribed_at = null, updated_at = ${consent.at}
    where id = ${id}`.execute(tx)
}

/** Confirms a subscription that is pending since a time at most. False without one. */
export async function confirmSubscription(
  tx: Executor,
  id: string,
  { at, since }: { readonly at: Date; readonly since: Date },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update leads set state = 'confirmed', confirmed_at = coalesce(confirmed_at, ${at}), updated_at = ${at}
    where id = ${id} and kind = 'newsletter' and (state = 'confirmed' or (state = 'pending' and mailed_at > ${since}))`.execute(tx)
  return (numAffectedRows ?? 0n) > 0n
}

/** Ends a subscription. False without one. */
export async function endSubscription(tx: Executor, id: string, at: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update leads set state = 'unsubscribed', unsubscribed_at = coalesce(unsubscribed_at, ${at}), updated_at = ${at}
    where id = ${id} and kind = 'newsletter'`.execute(tx)
  return (numAffectedRows ?? 0n) > 0n
}

export async function findLead(tx: Executor, id: string): Promise<Lead | undefined> {
  const { rows } = await sql<LeadRow>`select * from leads where id = ${id}`.execute(tx)
  return rows[0] === undefined ? undefined : leadOf(rows[0])
}

export interface LeadFilter {
  readonly kind: LeadKind | undefined
  readonly state: LeadState | undefined
}

export async function listLeads(
  db: Executor,
  { kind, state }: LeadFilter,
  { before, limit }: { readonly before: string | undefined; readonly limit: number },
): Promise<readonly Lead[]> {
  const { rows } = await sql<LeadRow>`
    select * from leads
    where (${kind ?? null}::text is null or kind = ${kind ?? null}) and (${state ?? null}::text is null or state = ${state ?? null})
      ${before === undefined ? sql`` : sql`and id < ${before}`}
    order by id desc limit ${limit}`.execute(db)
  return rows.map(leadOf)
}

/** Deletes unconfirmed subscriptions, old leads, subscriptions that ended long ago and expired proofs; at most `limit` of each. */
export async function sweepLeads(db: Executor, { now, unconfirmedBefore, before, limit }: Sweep): Promise<void> {
  await sql`
    delete from leads where id in (
      select id from leads where (state = 'pending' and created_at < ${unconfirmedBefore} and mailed_at < ${unconfirmedBefore})
        or (kind <> 'newsletter' and created_at < ${before}) or (state = 'unsubscribed' and unsubscribed_at < ${before})
      limit ${limit})`.execute(db)
  await sql`delete from form_proofs where id in (select id from form_proofs where expires_at < ${now} limit ${limit})`.execute(db)
}

export interface Sweep {
  readonly now: Date
  readonly unconfirmedBefore: Date
  readonly before: Date
  readonly limit: number
}

function leadOf(row: LeadRow): Lead {
  const { id, kind, state, email, locale, details, messages, submissions } = row
  return {
    id,
    kind,
    state,
    email,
    locale,
    details,
    messages,
    submissions,
    name: row.name ?? undefined,
    company: row.company ?? undefined,
    phone: row.phone ?? undefined,
    consent: { at: row.consent_at, text: row.consent_text, ip: row.consent_ip, userAgent: row.consent_user_agent ?? undefined },
    mailedAt: row.mailed_at ?? undefined,
    confirmedAt: row.confirmed_at ?? undefined,
    unsubscribedAt: row.unsubscribed_at ?? undefined,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

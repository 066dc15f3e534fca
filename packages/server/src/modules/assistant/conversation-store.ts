import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import type { Conversation, Message, Owner, Page } from './model.ts'

type Executor = Kysely<Rows>

interface ConversationRow {
  readonly id: string
  readonly title: string
  readonly created_at: Date
  readonly updated_at: Date
}

interface MessageRow {
  readonly id: string
  readonly conversation_id: string
  readonly role: Message['role']
  readonly text: string
  readonly proposals: string[]
  readonly drafts: string[]
  readonly created_at: Date
}

export async function countConversations(tx: Executor, accountId: string, userId: string): Promise<number> {
  const { rows } = await sql<{ readonly count: number }>`
    select count(*)::int as count from assistant_conversations where account_id = ${accountId} and user_id = ${userId}`.execute(tx)
  return rows[0]?.count ?? 0
}

export async function insertConversation(tx: Executor, { accountId, userId }: Owner, conversation: Conversation): Promise<void> {
  const { id, title, createdAt } = conversation
  await sql`
    insert into assistant_conversations (id, account_id, user_id, title, created_at, updated_at)
    values (${id}, ${accountId}, ${userId}, ${title}, ${createdAt}, ${createdAt})`.execute(tx)
}

export async function findConversation(tx: Executor, { accountId, userId }: Owner, id: string): Promise<Conversation | undefined> {
  const { rows } = await sql<ConversationRow>`
    select id, title, created_at, updated_at from assistant_conversations
    where account_id = ${accountId} and user_id = ${userId} and id = ${id}`.execute(tx)
  return rows.map(conversationOf)[0]
}

export async function listConversations(
  tx: Executor,
  { accountId, userId }: Owner,
  { before, limit }: Page,
): Promise<readonly Conversation[]> {
  const { rows } = await sql<ConversationRow>`
    select id, title, created_at, updated_at from assistant_conversations
    where account_id = ${accountId} and user_id = ${userId} ${before === undefined ? sql`` : sql`and id < ${before}`}
    order by id desc limit ${limit}`.execute(tx)
  return rows.map(conversationOf)
}

/** @returns whether there was one. */
export async function deleteConversation(tx: Executor, { accountId, userId }: Owner, id: string): Promise<boolean> {
  const { rows } = await sql`
    delete from assistant_conversations where account_id = ${accountId} and user_id = ${userId} and id = ${id} returning id`.execute(tx)
  return rows.length > 0
}

/** Adds a message, unless its conversation was deleted meanwhile. */
export async function insertMessage(tx: Executor, { accountId, userId }: Owner, message: Message): Promise<void> {
  const { id, conversationId, role, text, proposals, drafts, createdAt } = message
  await sql`
    insert into assistant_messages (id, account_id, conversation_id, user_id, role, text, proposals, drafts, created_at)
    select ${id}, ${accountId}, c.id, ${userId}, ${role}, ${text}, ${proposals}::uuid[], ${drafts}::uuid[], ${createdAt}
    from assistant_conversations c where c.account_id = ${accountId} and c.id = ${conversationId}`.execute(tx)
  await sql`
    update assistant_conversations set updated_at = ${createdAt} where account_id = ${accountId} and id = ${conversationId}`.execute(tx)
}

/** Newest first. */
export async function listMessages(
  tx: Executor,
  { accountId, userId }: Owner,
  { conversationId, limit }: { readonly conversationId: string; readonly limit: number },
): Promise<readonly Message[]> {
  const { rows } = await sql<MessageRow>`
    select id, conversation_id, role, text, proposals, drafts, created_at from assistant_messages
    where account_id = ${accountId} and user_id = ${userId}
      and conversation_id = ${conversationId}
    order by id desc limit ${limit}`.execute(tx)
  return rows.map(({ conversation_id, created_at, ...row }) => ({ ...row, conversationId: conversation_id, createdAt: created_at }))
}

function conversationOf({ created_at, updated_at, ...row }: ConversationRow): Conversation {
  return { ...row, createdAt: created_at, updatedAt: updated_at }
}
